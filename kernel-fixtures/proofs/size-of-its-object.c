// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of a structure is that of an object
 * Verdict: proven
 */
#include <linux/slab.h>

struct odd {
	u64 a;
	u32 b;
};

void *subject(struct odd *p)
{
	return kmemdup(p, sizeof(struct odd), GFP_KERNEL);
}
