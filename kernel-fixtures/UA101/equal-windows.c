// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two windows of a function with the same accesses may be a helper
 * Row: what stays beside a window
 * Twin: unequal-windows
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag) {
		if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 rewrite manual 2 u write */
			return -EFAULT;
	} else {
		audit(k);
		if (put_user(k->c, &u->a) || put_user(k->d, &u->b))	/* want: UA101 rewrite manual 2 u write */
			return -EFAULT;
	}

	return 0;
}
