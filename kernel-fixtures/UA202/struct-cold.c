// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the function is not known to be hot
 * Row: hot functions alone
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int fetch(struct point *to, struct point __user *from);

int fetch(struct point *to, struct point __user *from)
{
	struct point where;

	if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 report not-hot 1 from read */
		return -EFAULT;
	*to = where;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return fetch(&k->pos, &u->pos);
}
