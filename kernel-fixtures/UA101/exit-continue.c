// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault only skips the iteration
 * Row: failure as success with a default
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *p = u->pts;
	int i;

	for (i = 0; i < 3; i++) {
		if (put_user(k->pts[i].x, &p[i].x) ||	/* want: - report - - p write */
		    put_user(k->pts[i].y, &p[i].y))
			continue;
		k->total++;
	}

	return 0;
}
