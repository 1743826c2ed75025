// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the loads go into a structure others can see
 * Row: destination escapes
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a) ||	/* want: UA101 rewrite prepared 3 u read */
	    get_user(k->b, &u->b) ||
	    get_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
