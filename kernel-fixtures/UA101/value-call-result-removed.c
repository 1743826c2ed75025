// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the only declaration is of a result that is not needed any more, and gives way to values
 * Unproven: a call is made before an access that it came after: no proof looks for its like
 * Row: calls in value arguments
 * Shape: E
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = put_user(encode(k->a), &u->a);	/* want: UA101 rewrite manual 2 u write */
	if (err)
		return err;
	return put_user(encode(k->b), &u->b);
}
