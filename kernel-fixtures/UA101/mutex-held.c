// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a mutex is held, and may be
 * Row: mutex held
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = -EFAULT;

	mutex_lock(&k->lock);
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want classic: UA101 rewrite safe 2 u write */ /* want scoped: UA101 rewrite safe 2 u write */
		goto out;
	ret = 0;
out:
	mutex_unlock(&k->lock);
	return ret;
}
