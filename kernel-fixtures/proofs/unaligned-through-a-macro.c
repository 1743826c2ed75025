// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another word is read by a macro for what is not aligned
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/unaligned.h>
#include <linux/types.h>

#define WORD(p) get_unaligned(p)
u32 subject(u32 *p, u32 *q);

u32 subject(u32 *p, u32 *q)
{
	u32 a = WORD(p);

	return a + *q;
}
