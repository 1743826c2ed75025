// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the value that was checked is fetched again
 * Row: read then write of one object
 * Shape: C
 * Twin: get-then-put
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 len, again;

	if (get_user(len, &u->len))	/* want: UA101 report double-fetch 2 u read */
		return -EFAULT;
	if (len > 8)
		return -EINVAL;
	if (get_user(again, &u->len))
		return -EFAULT;

	k->total = again;
	return 0;
}
