// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number for the size of a structure that i386 aligns otherwise
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <linux/slab.h>

struct odd {
	u64 a;
	u32 b;
};

void *subject(struct odd *p)
{
	return kmemdup(p, sizeof(*p), GFP_KERNEL);
}
