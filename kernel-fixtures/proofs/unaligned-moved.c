// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one access that needs no alignment instead of another
 * Verdict: not proven
 * Says: this architecture may need no alignment
 */
#include <fixture/arguments.h>
#include <linux/unaligned.h>

int changed(struct karg *k, u32 *p, u32 *q)
{
	k->a = get_unaligned(p);
	k->b = *q;
	return 0;
}
