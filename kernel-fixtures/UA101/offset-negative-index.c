// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element before the pointer, by its index
 * Row: constant stride
 * Shape: A
 * Twin: array-elements
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words + 2;

	if (put_user(k->a, &p[0]) ||	/* want: UA101 report range-unknown 2 p write */
	    put_user(k->b, &p[-2]))
		return -EFAULT;

	return 0;
}
