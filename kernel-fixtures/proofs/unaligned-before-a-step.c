// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an unaligned access moves to what a pointer points to next
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/unaligned.h>

u32 subject(const u32 *p)
{
	u32 v, w;

	v = get_unaligned(p);
	p++;
	w = *p;
	return v ^ w;
}
