// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two variables in one declaration
 * Row: err |= … accumulates
 * Shape: B
 * Twin: declaration-accesses
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int total = 0, err = put_user(k->a, &u->a) | put_user(k->b, &u->b);

	k->total = total;
	return err;
}
