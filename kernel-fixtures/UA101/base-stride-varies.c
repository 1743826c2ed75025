// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer advances by a number from elsewhere
 * Row: constant stride
 * Shape: I
 * Twin: pointer-increments
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;

	if (put_user(k->a, p))	/* want: UA101 report base-changes - p write */
		return -EFAULT;
	p += k->index;
	if (put_user(k->b, p))
		return -EFAULT;

	return 0;
}
