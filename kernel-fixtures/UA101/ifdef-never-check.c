// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code between access_ok() and the accesses that is never compiled
 * Row: access in a macro, or several #ifdef branches
 * Shape: G
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;
#if 0
	pad(u);
#endif
	if (__put_user(k->a, &u->a) ||	/* want: UA101 rewrite manual 2 u write */
	    __put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
