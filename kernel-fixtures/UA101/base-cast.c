// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an integer argument cast to a user pointer each time
 * Row: base computed by compat_ptr() or a cast
 * Shape: J
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned long arg = (unsigned long)u;

	if (put_user(k->a, (u32 __user *)arg) ||	/* want: UA101 rewrite prepared 3 - write */
	    put_user(k->b, (u32 __user *)arg + 1) ||
	    put_user(k->c, (u32 __user *)arg + 2))
		return -EFAULT;

	return 0;
}
