// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the copy is one of several collected results
 * Row: copy_to_user() of a structure
 * Shape: C
 * Unproven: after a fault the old code goes on with a copy of several words
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 3 u write */
	err |= copy_to_user(&u->pos, &k->pos, sizeof(k->pos));
	err |= put_user(k->b, &u->b);
	if (err)
		return -EFAULT;

	return 0;
}
