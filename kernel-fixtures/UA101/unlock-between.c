// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the lock is dropped between two loads
 * Row: side effects or calls between accesses
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	mutex_lock(&k->lock);
	if (get_user(a, &u->a)) {	/* want: UA101 report call-between 2 u read */
		mutex_unlock(&k->lock);
		return -EFAULT;
	}
	k->total = a;
	mutex_unlock(&k->lock);
	if (get_user(b, &u->b))
		return -EFAULT;

	k->b = b;
	return 0;
}
