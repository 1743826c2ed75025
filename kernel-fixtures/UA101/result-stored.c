// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result of one access is the value of the next
 * Row: value of an access
 * Shape: E
 * Twin: return-each
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = put_user(k->a, &u->a);	/* want: UA101 report fault-handled 3 u write */
	if (ret)
		return ret;
	ret = put_user(ret, &u->b);
	if (ret)
		return ret;
	ret = put_user(k->c, &u->c);
	if (ret)
		return ret;

	return 0;
}
