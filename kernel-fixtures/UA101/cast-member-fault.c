// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the exit reads what was set through a cast of its address
 * Row: wide dst / narrow src, pointer cast
 * Shape: J
 * Twin: cast-member
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 q = 0;

	if (get_user(*(u32 *)&q, (u32 __user *)&u->q0) ||	/* want: UA101 report value-read-on-fault 2 u read */
	    get_user(k->b, &u->b)) {
		k->q0 = q;
		return -EFAULT;
	}

	return 0;
}
