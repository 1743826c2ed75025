// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the source says which branch is taken
 * Row: hot functions alone
 * Twin: struct-unlikely
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;

	if (likely(k->index)) {
		if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 rewrite prepared 1 from read */
			return -EFAULT;
		k->pos = where;
		return 0;
	}
	if (unlikely(k->a)) {
		k->b = 1;
	} else {
		if (k->b) {
			if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 rewrite prepared 1 from read */
				return -EFAULT;
			k->pos = where;
		}
	}
	return 0;
}
