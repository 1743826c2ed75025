// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the second access fails with another error
 * Row: separate ifs, different clean-up labels
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report different-exits 2 u write */
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EIO;

	return 0;
}
