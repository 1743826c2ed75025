// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range was checked before
 * Row: range
 * Twin: struct-write
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = &u->pos;

	if (__copy_to_user(to, &k->pos, sizeof(*to)))	/* want: UA202 report range-elsewhere 1 to write */
		return -EFAULT;
	return 0;
}
