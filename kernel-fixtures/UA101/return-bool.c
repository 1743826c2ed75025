// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a bool only says that an access failed
 * Row: failure as another value
 * Shape: E
 * Twin: return-each
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	bool failed;

	failed = put_user(k->a, &u->a);	/* want: UA101 report fault-handled 2 u write */
	if (failed)
		return failed;
	failed = put_user(k->b, &u->b);
	if (failed)
		return failed;

	return 0;
}
