// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local is set through a cast of its address, and dies on a fault
 * Row: pointer cast, value on a fault
 * Shape: C
 * Twin: cast-member-fault
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 q = 0;
	u32 a, b;

	if (get_user(*(u32 *)&q, (u32 __user *)&u->q0))	/* want: UA101 rewrite safe 3 u read */
		return -EFAULT;
	if (get_user(a, &u->a))
		return -EFAULT;
	if (get_user(b, &u->b))
		return -EFAULT;

	k->a = a;
	k->b = b;
	k->q0 = q;

	return 0;
}
