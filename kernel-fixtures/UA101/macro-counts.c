// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro that leaves nothing: the code goes on
 * Row: exits that a macro hides
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	COUNT_IF(k, put_user(k->a, &u->a));	/* want: UA101 report fault-handled 2 u write */
	COUNT_IF(k, put_user(k->b, &u->b));
	return 0;
}
