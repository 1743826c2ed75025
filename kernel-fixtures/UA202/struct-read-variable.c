// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that held nothing but the outcome goes with it
 * Row: members one by one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;
	int ret;

	ret = copy_from_user(&where, from, sizeof(where));	/* want: UA202 rewrite prepared 1 from read */
	if (ret)
		return -EFAULT;
	k->pos = where;
	return 0;
}
