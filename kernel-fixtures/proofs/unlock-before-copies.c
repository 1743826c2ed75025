// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a lock is released before its data is stored from copies, before and after
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	mutex_lock(&k->lock);
	a = k->a;
	b = k->b;
	mutex_unlock(&k->lock);
	if (put_user(a, &u->a) ||
	    put_user(b, &u->b))
		return -EFAULT;

	return 0;
}
