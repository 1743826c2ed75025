// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the exit sets the error and goes to the unlock
 * Row: separate ifs, the same exit
 * Shape: D
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = 0;

	mutex_lock(&k->lock);
	if (put_user(k->a, &u->a) ||	/* want classic: UA101 rewrite safe 3 u write */ /* want scoped: UA101 rewrite manual 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c)) {
		ret = -EFAULT;
		goto unlock;
	}
	k->total++;
unlock:
	mutex_unlock(&k->lock);
	return ret;
}
