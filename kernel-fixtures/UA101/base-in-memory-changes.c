// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer in memory is exchanged between two stores
 * Row: base pointer itself in memory
 * Shape: C
 * Twin: base-in-memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &k->user->a))	/* want: UA101 report base-changes - k->user write */
		return -EFAULT;
	k->user = u;
	if (put_user(k->b, &k->user->b))
		return -EFAULT;

	return 0;
}
