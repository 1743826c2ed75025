// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a large copy, which opens and closes its own window, between two stores
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
	if (copy_to_user(&u->words, &k->words, 2 * sizeof(k->words)))
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
