// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function without a result sets one on a fault, and returns
 * Row: what follows a fault
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static void other(struct karg *k, struct uarg __user *u, int *err)
{
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c)) {
		*err = -EFAULT;
		return;
	}
	*err = 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	other(k, u, &err);
	return err;
}
