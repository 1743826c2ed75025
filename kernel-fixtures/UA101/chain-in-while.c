// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop goes on until the stores fail
 * Row: failure as success with a default
 * Shape: A
 * Twin: chain-put-two
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	while (!(put_user(k->a, &u->a) || put_user(k->b, &u->b)))	/* want: UA101 report - 2 u write */
		if (++k->count > 8)
			return 0;

	return -EFAULT;
}
