// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two copies in one condition
 * Row: mixed condition
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point a, b;

	if (copy_from_user(&a, &u->pts[0], sizeof(a)) ||	/* want: UA202 report mixed-condition 1 - read */
	    copy_from_user(&b, &u->pts[1], sizeof(b)))	/* want: UA202 report mixed-condition 1 - read */
		return -EFAULT;
	k->pts[0] = a;
	k->pts[1] = b;
	return 0;
}
