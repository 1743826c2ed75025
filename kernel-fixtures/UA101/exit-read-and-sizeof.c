// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the exit reads what get_user() zeroes, beside a sizeof()
 * Row: nothing on the exit path reads what get_user() zeroes
 * Shape: A
 * Twin: exit-sizeof
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *p = u->pts;
	struct point pt = { };

	if (get_user(pt.x, &p->x) ||	/* want: UA101 report value-read-on-fault 3 p read */
	    get_user(pt.y, &p->y) ||
	    get_user(pt.z, &p->z))
		return pt.x ? sizeof(pt) : -EFAULT;
	k->a += pt.x + pt.y + pt.z;
	return 0;
}
