// SPDX-License-Identifier: GPL-2.0
/*
 * Title: after the branch the result chooses what is returned
 * Row: what follows a fault
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	if (k->index) {
		err = put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 3 u write */
		err |= put_user(k->b, &u->b);
		err |= put_user(k->c, &u->c);
	}
	return err ? -EFAULT : 0;
}
