// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the call in a value depends on what was loaded before it
 * Row: calls in value arguments
 * Shape: A
 * Twin: value-call
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	(void)k;
	if (get_user(a, &u->a) ||	/* want: UA101 report call-between 2 u rw */
	    put_user(encode(a), &u->b))
		return -EFAULT;

	return 0;
}
