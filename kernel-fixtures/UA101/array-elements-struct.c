// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of neighbouring elements: whole elements are opened
 * Row: constant stride
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *p = u->pts;

	if (put_user(k->a, &p[0].y) ||	/* want: UA101 rewrite safe 3 p write */
	    put_user(k->b, &p[1].x) ||
	    put_user(k->c, &p[1].y))
		return -EFAULT;

	return 0;
}
