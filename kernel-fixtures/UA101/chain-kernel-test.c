// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a test of kernel data in the middle of the chain ends the run
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||	/* want: UA101 report mixed-condition 2 u write */
	    put_user(k->b, &u->b) ||
	    k->flag ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
