// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a static pointer is shared by all calls, a copy of it is not
 * Row: base in memory
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static struct uarg __user *last;
	struct uarg __user *area;

	last = u;
	if (put_user(k->a, &last->a) ||	/* want: UA101 report base-changes 3 last write */
	    put_user(k->b, &last->b) ||
	    put_user(k->c, &last->c))
		return -EFAULT;

	area = last;
	if (put_user(k->a, &area->a) ||	/* want: UA101 rewrite safe 3 area write */
	    put_user(k->b, &area->b) ||
	    put_user(k->c, &area->c))
		return -EFAULT;

	return 0;
}
