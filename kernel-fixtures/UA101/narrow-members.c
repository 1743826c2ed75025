// SPDX-License-Identifier: GPL-2.0
/*
 * Title: neighbouring narrow members stay separate accesses
 * Row: merging members into a wider access
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->h0, &u->h0) ||	/* want: UA101 rewrite safe 4 u write */
	    put_user(k->h1, &u->h1) ||
	    put_user(k->b0, &u->b0) ||
	    put_user(k->b1, &u->b1))
		return -EFAULT;

	return 0;
}
