// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the window follows a declaration
 * Row: put_user of three members
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->a) {
		struct uarg __user *to = u;
		if (put_user(k->a, &to->a) ||	/* want: UA101 rewrite safe 3 to write */
		    put_user(k->b, &to->b) ||
		    put_user(k->c, &to->c))
			return -EFAULT;
	}

	return 0;
}
