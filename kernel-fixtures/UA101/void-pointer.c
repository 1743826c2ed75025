// SPDX-License-Identifier: GPL-2.0
/*
 * Title: steps of bytes through a pointer to nothing in particular
 * Row: base computed by compat_ptr() or a cast
 * Shape: J
 * Twin: base-cast
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;

	if (put_user(k->a, (u32 __user *)p) ||	/* want: UA101 report - 2 p write */
	    put_user(k->h0, (u16 __user *)(p + 16)))
		return -EFAULT;

	return 0;
}
