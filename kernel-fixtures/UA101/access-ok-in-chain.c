// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range check is the first link of the chain
 * Row: access_ok() directly before, only for this run
 * Shape: G
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(u, sizeof(*u)) ||
	    __put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    __put_user(k->b, &u->b) ||
	    __put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
