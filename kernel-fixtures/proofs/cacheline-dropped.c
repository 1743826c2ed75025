// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a buffer that shares a cache line where lines are longer
 * Verdict: not proven
 * Says: ____cacheline_aligned may mean something else
 */
#include <fixture/arguments.h>
#include <linux/cache.h>

struct out { u64 a[8]; u8 b[64] ____cacheline_aligned; } __aligned(64);
int changed(struct out *k)
{
	return k->b[0];
}
