// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an unaligned access moves to another path
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/unaligned.h>

u32 subject(const u32 *p, const u32 *q, int x)
{
	if (x)
		return get_unaligned(p);
	return *p + *q;
}
