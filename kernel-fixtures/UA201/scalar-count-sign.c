// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left are compared with a negative number
 * Row: only zero or not
 * Twin: scalar-left-at-once
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int left;

	left = copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 report count-used 1 &u->a write */
	if (left > 0)
		return -EFAULT;
	return 0;
}
