// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the run is the body of a macro
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 * Twin: chain-put-two
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define STORE_PAIR(k, u)					\
	(put_user((k)->a, &(u)->a) || put_user((k)->b, &(u)->b))	/* want: UA101 report macro-body 2 u write */

int subject(struct karg *k, struct uarg __user *u)
{
	if (STORE_PAIR(k, u))
		return -EFAULT;

	return 0;
}
