// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy, which opens and closes its own window, between two stores
 * Row: copy_to_user() of a structure
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report call-between 2 u write */
		return -EFAULT;
	if (copy_to_user(&u->pos, &k->pos, sizeof(k->pos)))
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
