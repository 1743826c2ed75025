// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an index nobody bounds, through a bare pointer
 * Row: constant stride
 * Shape: A
 * Twin: array-elements
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	unsigned int i = k->index;

	if (put_user(k->a, &p[i]) ||	/* want: UA101 report variable-index 2 p write */
	    put_user(k->b, &p[i + 1]))
		return -EFAULT;

	return 0;
}
