// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the collected errors are the result
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	err |= __put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 3 u write */
	err |= __put_user(k->b, &u->b);
	err |= __put_user(k->c, &u->c);

	return err;
}
