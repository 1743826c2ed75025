// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label of the function closes such a window and leaves so already
 * Row: an equal exit has one label
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->index == 1) {
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		unsafe_put_user(k->a, &u->a, efault);
		user_write_access_end();
		return 0;
	}
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
