// SPDX-License-Identifier: GPL-2.0
/*
 * Title: any byte may be copied into a bool
 * Row: bool
 * Twin: scalar-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	bool yes;

	if (copy_from_user(&yes, &u->b0, sizeof(yes)))	/* want: UA201 report bool 1 &u->b0 read */
		return -EFAULT;
	k->total = yes;
	return 0;
}
