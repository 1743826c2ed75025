// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the kernel's state changes before the errors are tested
 * Row: err |= … accumulates
 * Shape: B
 * Twin: accumulate-test
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = put_user(k->a, &u->a);	/* want: UA101 report work-before-test 3 u write */
	err |= put_user(k->b, &u->b);
	err |= put_user(k->c, &u->c);
	k->total++;
	if (err)
		return -EFAULT;

	return 0;
}
