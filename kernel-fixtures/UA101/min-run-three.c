// SPDX-License-Identifier: GPL-2.0
/*
 * Title: three accesses pay with either kind of window
 * Row: length of the run
 * Shape: A
 * Options: default-min-run
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b) || put_user(k->c, &u->c))	/* want: UA101 rewrite safe 3 u write */
		return -EFAULT;

	return 0;
}
