// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an audit record between two stores
 * Row: side effects or calls between accesses
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report call-between 2 u write */
		return -EFAULT;
	audit(k);
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
