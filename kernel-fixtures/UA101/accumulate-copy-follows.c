// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy of a size known at run time is collected as well
 * Row: err |= … accumulates
 * Shape: B
 * Twin: accumulate-test
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	err |= put_user(k->a, &u->a);	/* want: UA101 report work-before-test 3 u write */
	err |= put_user(k->b, &u->b);
	err |= put_user(k->c, &u->c);
	err |= copy_to_user(u->words, k->words, 4 * k->count);
	if (err)
		return -EFAULT;

	return 0;
}
