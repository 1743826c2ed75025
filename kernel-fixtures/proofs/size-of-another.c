// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of another structure, which is the same here
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <linux/slab.h>

struct odd {
	u64 a;
	u32 b;
};

struct even {
	u64 a;
	u64 b;
};

size_t subject(void)
{
	return sizeof(struct even);
}
