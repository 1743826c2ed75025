// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two calls in values, after other statements
 * Unproven: a call is made before an access that it came after: no proof looks for its like
 * Row: calls in value arguments
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag)
		return -EINVAL;

	if (put_user(encode(k->a), &u->a))	/* want: UA101 rewrite manual 2 u write */
		return -EFAULT;
	if (put_user(encode(k->b), &u->b))
		return -EFAULT;

	return 0;
}
