// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a branch marked as cold in a hot function
 * Row: hot functions alone
 * Twin: struct-likely
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;

	if (unlikely(k->index)) {
		if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 report not-hot 1 from read */
			return -EFAULT;
		k->pos = where;
		return 0;
	}
	if (likely(k->a)) {
		k->b = 1;
	} else {
		if (k->b) {
			if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 report not-hot 1 from read */
				return -EFAULT;
			k->pos = where;
		}
	}
	return 0;
}
