// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the copy of an array's element, whose range the type of the base does not show
 * Row: copy_to_user() of a structure
 * Shape: C
 * Twin: copy-between
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report call-between 2 u write */
		return -EFAULT;
	if (copy_to_user(&u->pts[1], &k->pos, sizeof(k->pos)))
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
