// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one if for each store, all returning alike
 * Row: separate ifs, the same exit
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 3 u write */
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
