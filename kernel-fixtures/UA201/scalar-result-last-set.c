// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that ends with the test of the copy's result, in a variable with a value
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int retval = 0;

	k->flag = 1;
	retval = copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 rewrite safe 1 &u->a write */
	if (retval)
		return -EFAULT;

	return 0;
}
