// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a range check only for this run becomes the beginning of the window
 * Row: access_ok() directly before, only for this run
 * Shape: G
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b, c;

	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;
	if (__get_user(a, &u->a) ||	/* want: UA101 rewrite safe 3 u read */
	    __get_user(b, &u->b) ||
	    __get_user(c, &u->c))
		return -EFAULT;

	k->total = a + b + c;
	return 0;
}
