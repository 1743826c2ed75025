// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a small structure is copied between two stores: all in one window
 * Row: copy_to_user() of a structure
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite prepared 3 u write */
		return -EFAULT;
	if (copy_to_user(&u->pos, &k->pos, sizeof(k->pos)))
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
