// SPDX-License-Identifier: GPL-2.0
/*
 * Title: get_user() writes the very pointer it reads through
 * Row: the pointer itself is loaded or changed by data
 * Shape: A
 * Twin: chain-get-locals
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (get_user(u, &u->next) || get_user(a, &u->a))	/* want: UA101 report base-changes 2 u read */
		return -EFAULT;

	k->total = a;
	return 0;
}
