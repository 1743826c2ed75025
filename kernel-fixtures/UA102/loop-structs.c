// SPDX-License-Identifier: GPL-2.0
/*
 * Title: several stores per iteration into an array of structures
 * Row: loop with a bounded trip count
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *p = u->pts;
	int i;

	for (i = 0; i < 3; i++) {
		if (put_user(k->pts[i].x, &p[i].x) ||	/* want: UA102 rewrite prepared - p write */
		    put_user(k->pts[i].y, &p[i].y))
			return -EFAULT;
		if (put_user(k->pts[i].z, &p[i].z))
			return -EFAULT;
	}

	return 0;
}
