// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the clean-up uses values set before the loads
 * Row: destination read on the fault path
 * Shape: D
 * Twin: ifs-goto-out
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = -EFAULT;
	u32 a = 1, b = 2;

	if (get_user(a, &u->a))	/* want: UA101 report value-read-on-fault 2 u read */
		goto out;
	if (get_user(b, &u->b))
		goto out;
	ret = 0;
out:
	k->a = a;
	k->b = b;
	return ret;
}
