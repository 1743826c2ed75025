// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read outlives the function: on a fault it keeps its values
 * Row: members one by one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;

	if (copy_from_user(&k->pos, from, sizeof(k->pos)))	/* want: UA202 rewrite prepared 1 from read */
		return -EFAULT;
	return 0;
}
