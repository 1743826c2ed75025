// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two objects one after the other: two windows, never nested
 * Row: two distinct bases
 * Shape: H
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *v = k->user;

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 rewrite safe 2 u write */
		return -EFAULT;
	if (put_user(k->c, &v->c) || put_user(k->d, &v->d))	/* want: UA101 rewrite safe 2 v write */
		return -EFAULT;

	return 0;
}
