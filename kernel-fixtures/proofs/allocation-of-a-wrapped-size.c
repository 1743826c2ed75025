// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size that overflows is a small one
 * Verdict: different
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>
#include <linux/slab.h>

struct point *points_of(struct karg *k);

struct point *points_of(struct karg *k)
{
	return kmalloc_array(k->l0, sizeof(struct point), GFP_KERNEL);
}
