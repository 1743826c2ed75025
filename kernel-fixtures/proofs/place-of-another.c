// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member at the same place of another structure
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <linux/types.h>

struct narrow {
	u32 a;
	u64 b;
};

struct wide {
	u64 a;
	u64 b;
};

u64 subject(void *p)
{
	return ((struct wide *)p)->b;
}
