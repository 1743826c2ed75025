// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value counts as it is stored
 * Row: calls in value arguments
 * Shape: A
 * Twin: value-call
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->total++, &u->a) ||	/* want: UA101 report side-effect-argument 2 u write */
	    put_user(k->total++, &u->b))
		return -EFAULT;

	return 0;
}
