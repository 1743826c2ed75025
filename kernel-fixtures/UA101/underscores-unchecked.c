// SPDX-License-Identifier: GPL-2.0
/*
 * Title: __put_user() with no range check in sight gains one
 * Row: __get_user()/__put_user() without access_ok()
 * Shape: G
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (__put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    __put_user(k->b, &u->b) ||
	    __put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
