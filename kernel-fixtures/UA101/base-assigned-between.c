// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is another one for the second half
 * Row: the pointer itself is loaded or changed by data
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report base-changes - u write */
		return -EFAULT;
	u = k->user;
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
