// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call inside a value is made before the window opens
 * Unproven: a call is made before an access that it came after: no proof looks for its like
 * Row: calls in value arguments
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite manual 3 u write */
	    put_user(encode(k->b), &u->h0) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
