// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy in an else branch
 * Row: label and layout
 * Twin: struct-write
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag)
		return 1;
	else if (copy_to_user(&u->pos, &k->pos, sizeof(k->pos)))	/* want: UA202 report mixed-condition 1 &u->pos write */
		return -EFAULT;
	return 0;
}
