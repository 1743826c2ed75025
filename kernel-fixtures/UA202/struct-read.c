// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure without padding is read into a local one
 * Row: members one by one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;

	if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 rewrite prepared 1 from read */
		return -EFAULT;
	k->pos = where;
	return 0;
}
