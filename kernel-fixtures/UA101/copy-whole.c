// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store, then the whole object is read
 * Row: copy_to_user() of a structure
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;

	if (put_user(0, &from->x))	/* want: UA101 rewrite manual 3 from rw */
		return -EFAULT;
	if (copy_from_user(&where, from, sizeof(where)))
		return -EFAULT;
	k->total = where.y;
	if (put_user(k->a, &from->x))
		return -EFAULT;
	k->pos = where;

	return 0;
}
