// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an unaligned access stays where it was
 * Verdict: proven
 */
#include <linux/unaligned.h>

u32 subject(const u32 *p, int x)
{
	u32 v, w;

	if (x) {
		v = get_unaligned(p);
		p++;
		w = *p;
	} else {
		v = 0;
		w = 0;
	}
	return v ^ w;
}
