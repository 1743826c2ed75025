// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the type of the result would change its value
 * Row: error variable
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 ret;

	if (!u)
		return 0;

	ret = -1;
	audit(k);
	if (put_user(k->a, &u->a) ||	/* want scoped: UA101 rewrite safe 2 u write */ /* want classic: UA101 report fault-handled 2 u write */
	    put_user(k->b, &u->b))
		ret = 0;
	audit(k);

	return ret;
}
