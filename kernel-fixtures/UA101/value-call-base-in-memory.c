// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the call in a value may change the pointer that is read before it
 * Row: calls in value arguments
 * Shape: C
 * Twin: value-call
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 serial = k->a;

	(void)u;
	if (put_user(k->a, &k->user->a))	/* want: UA101 report call-between 2 k->user write */
		return -EFAULT;
	if (put_user(encode(serial), &k->user->b))
		return -EFAULT;

	return 0;
}
