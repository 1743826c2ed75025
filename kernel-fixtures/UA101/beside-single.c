// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call separates another access to the object from the run
 * Row: other code between the accesses
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite manual 2 u write */
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;
	audit(k);
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
