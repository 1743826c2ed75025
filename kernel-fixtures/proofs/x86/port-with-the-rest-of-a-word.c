// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read replaces all of a variable
 * Verdict: different
 * Says: it returned
 */
#include <linux/io.h>
#include <linux/types.h>

u32 subject(int base, u32 c);

u32 subject(int base, u32 c)
{
	return (c & ~0xff) | inb(base);
}
