// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a type that is aligned on i386, too, and one that is not
 * Verdict: not proven
 * Says: this architecture may need no alignment
 */
#include <fixture/arguments.h>
#include <linux/types.h>

struct out { u32 a; __aligned_u64 b; u32 c; };
int changed(struct out *k)
{
	return k->c;
}
