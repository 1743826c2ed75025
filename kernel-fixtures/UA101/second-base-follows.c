// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a run and then one store elsewhere: the run alone gets a window
 * Row: two distinct bases
 * Shape: H
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *v = k->user;

	if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 2 u write */
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;
	if (put_user(k->c, &v->c))
		return -EFAULT;

	return 0;
}
