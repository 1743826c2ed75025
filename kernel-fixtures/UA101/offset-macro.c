// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an offset that a macro names
 * Row: constant stride
 * Shape: A
 * Twin: array-elements
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define SECOND	1

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;

	if (put_user(k->a, p) ||	/* want: UA101 report range-unknown 2 p write */
	    put_user(k->b, p + SECOND))
		return -EFAULT;

	return 0;
}
