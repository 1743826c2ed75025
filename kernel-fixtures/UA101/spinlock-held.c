// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a spinlock is held where a fault may sleep: a bug that is there already
 * Row: spinlock held
 * Shape: A
 * Twin: mutex-held
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = -EFAULT;

	spin_lock(&k->spin);
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 report atomic-context 2 u write */
		goto unlock;
	ret = 0;
unlock:
	spin_unlock(&k->spin);

	return ret;
}
