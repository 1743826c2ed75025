// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assignment between the accesses calls a function through a macro
 * Row: call between the accesses
 * Shape: C
 * Twin: value-macro-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define SERIAL next_serial(k)

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report call-between 3 u write */
		return -EFAULT;
	k->total = SERIAL;
	if (put_user(k->b, &u->b))
		return -EFAULT;
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
