// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the shortest run there is
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->when.sec, &u->when.sec) ||	/* want: UA101 rewrite safe 2 u write */
	    put_user(k->when.nsec, &u->when.nsec))
		return -EFAULT;

	return 0;
}
