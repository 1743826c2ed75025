// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one access is no run
 * Row: length of the run
 * Twin: chain-put-two
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))
		return -EFAULT;
	audit(k);
	return put_user(k->b, &k->user->b);
}
