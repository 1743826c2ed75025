// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one expression, joined by | and not by ||
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) |	/* want: UA101 rewrite prepared 3 u write */
	    put_user(k->b, &u->b) |
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
