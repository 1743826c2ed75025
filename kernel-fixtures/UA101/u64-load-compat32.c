// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same load in a file whose name says compat and 32, which the tree builds for all
 * Row: 64-bit member
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 q;
	u32 a;

	if (get_user(a, &u->a) || get_user(q, &u->q0))	/* want classic: UA101 report u64-arm32 2 u read */ /* want scoped: UA101 rewrite safe 2 u read */
		return -EFAULT;

	k->total = a ^ (u32)q;
	return 0;
}
