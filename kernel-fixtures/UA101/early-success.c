// SPDX-License-Identifier: GPL-2.0
/*
 * Title: some callers have only the first part of the object
 * Row: other code between the accesses
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite manual 4 u write */
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;
	if (k->flag)
		return 0;
	if (put_user(k->c, &u->c))
		return -EFAULT;
	if (put_user(k->d, &u->d))
		return -EFAULT;

	return 0;
}
