// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the exit names what is read in a sizeof() only
 * Row: nothing on the exit path reads what get_user() zeroes
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *p = u->pts;
	struct point pt;
	int i;

	for (i = 0; i < 3; i++, p++) {
		if (get_user(pt.x, &p->x) ||	/* want: UA101 rewrite safe 3 p read */
		    get_user(pt.y, &p->y) ||
		    get_user(pt.z, &p->z))
			return i ? i * sizeof(pt) : -EFAULT;
		k->a += pt.x + pt.y + pt.z;
	}
	return i * sizeof(pt);
}
