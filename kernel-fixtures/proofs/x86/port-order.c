// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two ports are written in another order
 * Verdict: different
 * Says: call out(
 */
#include <linux/io.h>
#include <linux/types.h>

int subject(u8 *p, int base);

int subject(u8 *p, int base)
{
	outb(*p, base);
	outb(4, base + 1);
	return inb(base);
}
