// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a whole structure is copied in: no run of accesses
 * Row: copy_from_user() of a structure
 * Twin: chain-get-locals
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_from_user(&k->pos, &u->pos, sizeof(k->pos)))
		return -EFAULT;
	if (copy_from_user(&k->when, &u->when, sizeof(k->when)))
		return -EFAULT;

	return 0;
}
