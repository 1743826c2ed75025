// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value that needs a variable before the declaration of the error variable
 * Row: err |= … accumulates
 * Shape: B
 * Twin: declaration-accesses
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = put_user(k->a, &u->a) | put_user(encode(k->b), &u->b);	/* want: UA101 report mixed-condition 2 u write */

	return err;
}
