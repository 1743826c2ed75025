// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two objects in turn under one condition
 * Row: two distinct bases
 * Shape: H
 * Twin: two-bases-adjacent
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *v = k->user;

	if (put_user(k->a, &u->a) ||	/* want: UA101 report second-base 2 u write */
	    put_user(k->b, &v->b) ||	/* want: UA101 report second-base 2 v write */
	    put_user(k->c, &u->c) ||
	    put_user(k->d, &v->d))
		return -EFAULT;

	return 0;
}
