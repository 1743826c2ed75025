// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the variable that collected the errors is needed again
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;
	u32 a, b, c;

	err = get_user(a, &u->a);	/* want: UA101 rewrite prepared 3 u read */
	err |= get_user(b, &u->b);
	err |= get_user(c, &u->c);
	if (err)
		return -EFAULT;

	err = a + b > c ? -EINVAL : 0;
	return err;
}
