// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro returns if an access faults
 * Row: exits that a macro hides
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	LEAVE_IF(put_user(k->a, &u->a));	/* want: UA101 report fault-handled 3 u write */
	LEAVE_IF(put_user(k->b, &u->b));
	LEAVE_IF(put_user(k->c, &u->c));
	return 0;
}
