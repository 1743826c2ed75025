// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault is stored, and more is computed before the return
 * Row: an errno that falls through
 * Shape: A
 * Twin: exit-runs-on
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	if (put_user(k->a, &u->a) ||	/* want: UA101 report fault-handled 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		err = -EFAULT;
	k->total += err;

	return err;
}
