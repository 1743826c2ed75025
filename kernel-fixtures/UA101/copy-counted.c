// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the number of bytes that a copy left is in what is returned
 * Row: copy_to_user() of a structure
 * Shape: C
 * Twin: copy-collected
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = put_user(k->a, &u->a);	/* want: UA101 report call-between 2 u write */
	err |= copy_to_user(&u->pos, &k->pos, sizeof(k->pos));
	err |= put_user(k->b, &u->b);

	return err;
}
