// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label of the function already returns -EFAULT
 * Row: one label for identical exits
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->a > k->b)
		goto bad_address;

	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;

bad_address:
	return -EFAULT;
}
