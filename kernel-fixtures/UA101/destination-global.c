// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the loads go into variables of the file
 * Row: destination escapes
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static u32 limit, burst;

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(limit, &u->a))	/* want: UA101 rewrite prepared 2 u read */
		return -EFAULT;
	if (get_user(burst, &u->b))
		return -EFAULT;

	k->total = limit / (burst + 1);
	return 0;
}
