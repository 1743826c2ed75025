// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the last access is the function's result
 * Row: the result returned as it is
 * Shape: E
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 3 u write */
	if (ret)
		return ret;
	ret = put_user(k->b, &u->b);
	if (ret)
		return ret;
	return put_user(k->c, &u->c);
}
