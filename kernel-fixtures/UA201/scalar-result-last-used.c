// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that ends with the test of the copy's result, in a variable with other uses
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = k->flag;

	if (err)
		return err;

	err = copy_from_user(&k->b, &u->b, sizeof(k->b));	/* want: UA201 rewrite prepared 1 &u->b read */
	if (err)
		return -EFAULT;
	return 0;
}
