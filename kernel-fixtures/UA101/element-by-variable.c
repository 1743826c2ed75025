// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one element that a variable chooses: its address is taken before the window
 * Row: the base pointer itself is in memory
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i = k->index;

	if (put_user(k->pos.x, &u->pts[i].x) ||	/* want: UA101 rewrite prepared 3 u write */
	    put_user(k->pos.y, &u->pts[i].y) ||
	    put_user(k->pos.z, &u->pts[i].z))
		return -EFAULT;

	return 0;
}
