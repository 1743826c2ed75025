// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an error variable that is declared with the accesses and used again
 * Row: err |= … accumulates
 * Shape: B
 * Twin: declaration-tested
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = put_user(k->a, &u->a) | put_user(k->b, &u->b);	/* want: UA101 report mixed-condition 2 u write */

	if (err)
		return -EFAULT;
	err = encode(k->c) > 5;
	return err;
}
