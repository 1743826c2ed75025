// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two variables of one name in two blocks
 * Row: the type of the variable in scope
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag) {
		struct point where;

		if (copy_from_user(&where, &u->pos, sizeof(where)))	/* want: UA202 rewrite prepared 1 &u->pos read */
			return -EFAULT;
		k->pos = where;
	} else {
		u32 where;

		if (copy_from_user(&where, &u->a, sizeof(where)))	/* want: UA201 rewrite safe 1 &u->a read */
			return -EFAULT;
		k->a = where;
	}
	return 0;
}
