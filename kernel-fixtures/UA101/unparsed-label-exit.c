// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault jumps to one of several labels
 * Row: spatch cannot parse the function
 * Shape: A
 * Twin: unparsed-label-table
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static const void *const next[2] IN_TABLE = {
		[0] = &&none,
		[1] = &&fault,
	};

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 report fault-handled 2 u write */
		goto *next[k->flag];
	return 0;
none:
	return -EINVAL;
fault:
	return -EFAULT;
}
