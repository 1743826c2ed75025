// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a mask is read again; the & before it is the operator of integers
 * Row: destination read on the fault path
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 mask = 3, b;

	if (k->flag & mask)
		k->index = 1;
	if (get_user(mask, &u->a) ||	/* want: UA101 rewrite safe 2 u read */
	    get_user(b, &u->b)) {
		k->total = 0;
		return -EFAULT;
	}

	k->total = mask + b;
	return 0;
}
