// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a whole structure is copied out, its padding with it
 * Row: copy_to_user() of a structure
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(&u->pos, &k->pos, sizeof(k->pos)))
		return -EFAULT;

	return 0;
}
