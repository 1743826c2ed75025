// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of members, an array of structures among them
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->pos.x, &u->pts[1].x) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->pos.y, &u->pts[1].y) ||
	    put_user(k->pos.z, &u->pts[1].z))
		return -EFAULT;

	return 0;
}
