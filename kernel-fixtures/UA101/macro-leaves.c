// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro is the return
 * Row: exits that a macro hides
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report fault-handled 2 u write */
		LEAVE -EFAULT;
	if (put_user(k->b, &u->b))
		LEAVE -EFAULT;
	return 0;
}
