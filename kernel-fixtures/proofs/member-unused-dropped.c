// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an unused member that i386 needs for the place of the next one
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <fixture/arguments.h>
#include <linux/types.h>

struct out { u32 a; u32 pad; u64 b; u32 c; };
int changed(struct out *k)
{
	return k->c;
}
