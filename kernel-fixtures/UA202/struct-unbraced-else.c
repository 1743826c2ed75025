// SPDX-License-Identifier: GPL-2.0
/*
 * Title: both arms of a branch get braces, and else is after one
 * Row: layout
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point where = k->pos;

	if (k->flag)
		return copy_to_user(&u->pos, &where, sizeof(where)) ? -EFAULT : 0;	/* want: UA202 rewrite prepared 1 &u->pos write */
	else
		k->flag = 1;
	return 0;
}
