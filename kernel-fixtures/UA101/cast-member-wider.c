// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast makes the access wider than the member
 * Row: wide dst / narrow src, pointer cast
 * Shape: J
 * Twin: cast-member
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, (u32 __user *)&u->h0) ||	/* want: UA101 report cast-pointer 2 u write */
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
