// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer to the user pointer, through which it moves between the accesses
 * Row: the base does not change between the accesses
 * Shape: C
 * Twin: base-shared
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *p = u->pts;
	struct point __user **to = &p;

	if (put_user(k->a, &p->x))	/* want: UA101 report base-changes 3 p write */
		return -EFAULT;
	(*to)++;
	if (put_user(k->b, &p->y) || put_user(k->c, &p->z))
		return -EFAULT;
	return 0;
}
