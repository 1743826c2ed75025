// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a statement between the accesses uses the result of one
 * Row: arithmetic between the accesses
 * Shape: E
 * Twin: arithmetic-between
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = put_user(k->a, &u->a);	/* want: UA101 report fault-handled 3 u write */
	if (ret)
		return ret;
	ret = put_user(k->b, &u->b);
	if (ret)
		return ret;
	k->total = ret;
	ret = put_user(k->c, &u->c);
	if (ret)
		return ret;

	return 0;
}
