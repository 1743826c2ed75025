// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what happens without a fault is in an else
 * Row: failure as success with a default
 * Shape: A
 * Twin: chain-put-two
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 report - 2 u write */
		ret = -EFAULT;
	else
		ret = k->flag;

	k->total++;
	return ret;
}
