// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a part of the structure is copied
 * Row: the whole object
 * Twin: struct-write
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point where = k->pos;

	if (copy_to_user(&u->when, &where, sizeof(struct moment)))	/* want: UA202 report size-differs 1 &u->when write */
		return -EFAULT;
	return 0;
}
