// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one command of many in a hot function
 * Row: hot functions alone
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;

	switch (k->index) {
	case 0:
		if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 report not-hot 1 from read */
			return -EFAULT;
		k->pos = where;
		return 0;
	default:
		return -EINVAL;
	}
}
