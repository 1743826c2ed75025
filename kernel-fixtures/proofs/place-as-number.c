// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number for the place of a member that an option moves
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <linux/types.h>

struct placed {
#ifdef CONFIG_NET
	u32 before;
#endif
	u32 a;
};

u32 subject(struct placed *p)
{
	return p->a;
}
