// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the collected errors are returned after a switch
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = -EINVAL;

	switch (k->count & 1) {
	case 0:
		err = put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 3 u write */
		err |= put_user(k->b, &u->b);
		err |= put_user(k->c, &u->c);
		break;
	default:
		break;
	}

	return err;
}
