// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another condition decides whether there are accesses at all
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag &&
	    (put_user(k->a, &u->a) ||	/* want: UA101 report mixed-condition 3 u write */
	     put_user(k->b, &u->b) ||
	     put_user(k->c, &u->c)))
		return -EFAULT;

	return 0;
}
