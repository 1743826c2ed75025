// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the call in a value may read what was loaded before it, by another name
 * Row: calls in value arguments
 * Shape: C
 * Twin: value-call-order
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct karg *same = k;

	if (get_user(same->total, &u->a))	/* want: UA101 report call-between 2 u rw */
		return -EFAULT;
	if (put_user(next_serial(k), &u->b))
		return -EFAULT;

	return 0;
}
