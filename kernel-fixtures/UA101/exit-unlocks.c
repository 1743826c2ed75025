// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one call is made before the return on either path
 * Row: an errno that falls through
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	mutex_lock(&k->lock);
	if (put_user(k->a, &u->a) ||	/* want classic: UA101 report fault-handled 3 u write */ /* want scoped: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		err = -EFAULT;
	mutex_unlock(&k->lock);

	return err;
}
