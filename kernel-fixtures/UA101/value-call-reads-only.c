// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a later value is a call that changes nothing: nobody sees that it is made although the first access faults
 * Row: calls in value arguments
 * Shape: C
 * Twin: value-call-two
 */
#include <fixture/arguments.h>
#include <linux/kdev_t.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite prepared 2 u write */
		return -EFAULT;
	if (put_user(new_encode_dev(k->b), &u->b))
		return -EFAULT;

	return 0;
}
