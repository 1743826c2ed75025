// SPDX-License-Identifier: GPL-2.0
/*
 * Title: each label may be jumped to
 * Row: spatch cannot parse the function
 * Twin: unparsed-label-table
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static const void *const next[2] IN_TABLE = {
		[0] = &&first,
		[1] = &&second,
	};

	goto *next[k->flag];
first:
	if (put_user(k->a, &u->a))
		return -EFAULT;
second:
	if (put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
