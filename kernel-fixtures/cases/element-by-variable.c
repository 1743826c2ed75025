// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member array indexed by a variable: its bounds check is a call under UBSAN
 * Row: arithmetic, compares, kernel stores between
 * Shape: A
 * Twin: nested-members
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i = k->index;

	if (put_user(k->pos.x, &u->pts[i].x) ||	/* want: UA101 report variable-index 3 u write */
	    put_user(k->pos.y, &u->pts[i].y) ||
	    put_user(k->pos.z, &u->pts[i].z))
		return -EFAULT;

	return 0;
}
