// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an opaque function computes the pointer each time
 * Row: base computed by compat_ptr() or a cast
 * Shape: J
 * Twin: base-compat-ptr
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	(void)u;
	if (put_user(k->a, &user_area(k)->a) ||	/* want: UA101 report base-in-call 2 - write */
	    put_user(k->b, &user_area(k)->b))
		return -EFAULT;

	return 0;
}
