// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range is checked before a call, and again by the window
 * Row: access_ok() before the accesses
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;
	audit(k);
	if (__put_user(k->a, &u->a) ||	/* want: UA101 rewrite manual 2 u write */
	    __put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
