// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a lock is released before the data it protects is stored
 * Verdict: not proven
 * Says: mutex_unlock
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	mutex_lock(&k->lock);
	if (put_user(k->a, &u->a) ||
	    put_user(k->b, &u->b))
		err = -EFAULT;
	mutex_unlock(&k->lock);
	return err;
}
