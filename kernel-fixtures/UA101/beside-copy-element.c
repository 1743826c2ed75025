// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy to an element beside the window of its other members, as in put_compat_request_table()
 * Row: what stays beside a window
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int i;

	for (i = 0; i < 1; i++) {
		if (copy_to_user(u + i, &k->a, k->count) ||
		    put_user(k->b, &u[i].b) ||	/* want: UA101 rewrite manual 3 u write */
		    put_user(k->c, &u[i].c) ||
		    put_user(k->d, &u[i].d))
			return -EFAULT;
	}
	return 0;
}
