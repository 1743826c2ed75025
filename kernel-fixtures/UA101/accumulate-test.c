// SPDX-License-Identifier: GPL-2.0
/*
 * Title: errors are collected and tested once
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 3 u write */
	err |= put_user(k->b, &u->b);
	err |= put_user(k->c, &u->c);
	if (err)
		return -EFAULT;

	return 0;
}
