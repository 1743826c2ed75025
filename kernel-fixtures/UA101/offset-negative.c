// SPDX-License-Identifier: GPL-2.0
/*
 * Title: elements before the pointer
 * Row: constant stride
 * Shape: A
 * Twin: array-elements
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words + 2;

	if (put_user(k->a, p - 1) ||	/* want: UA101 report range-unknown 3 p write */
	    put_user(k->b, p) ||
	    put_user(k->c, p + 1))
		return -EFAULT;

	return 0;
}
