// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two elements that variables choose: no range covers both
 * Row: two distinct bases
 * Shape: A
 * Twin: element-by-variable
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i = k->index;

	if (put_user(k->pos.x, &u->pts[i].x) ||	/* want: UA101 report variable-index 2 u write */
	    put_user(k->pos.y, &u->pts[0].y))
		return -EFAULT;

	return 0;
}
