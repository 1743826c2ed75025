// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code runs between the test of the copy's result and the end
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int retval;

	retval = copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 rewrite safe 1 &u->a write */
	if (retval)
		return -EFAULT;

	k->flag = 1;
	return 0;
}
