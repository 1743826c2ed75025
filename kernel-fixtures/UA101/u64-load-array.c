// SPDX-License-Identifier: GPL-2.0
/*
 * Title: 64-bit loads whose width only the pointer's type tells
 * Row: 64-bit member
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 __user *p = &u->q0;
	u64 low, high;

	if (get_user(low, p) || get_user(high, p + 1))	/* want classic: UA101 report u64-arm32 2 p read */ /* want scoped: UA101 rewrite safe 2 p read */
		return -EFAULT;

	k->q0 = low ^ high;
	return 0;
}
