// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast says that the object is of another type
 * Row: the whole object
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct moment __user *from = &u->when;
	struct point where = k->pos;

	if (copy_from_user((struct moment *)&where, from, sizeof(struct moment)))	/* want: UA202 report type-unknown 1 from read */
		return -EFAULT;
	k->pos = where;
	return 0;
}
