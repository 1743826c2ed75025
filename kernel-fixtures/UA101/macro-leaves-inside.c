// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro uses another that returns
 * Row: exits that a macro hides
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	LEAVE_ON(put_user(k->a, &u->a));	/* want: UA101 report fault-in-macro 2 u write */
	LEAVE_ON(put_user(k->b, &u->b));
	return 0;
}
