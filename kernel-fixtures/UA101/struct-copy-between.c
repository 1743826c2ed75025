// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure is copied between the accesses, which may be a call of memcpy()
 * Row: arithmetic, compares, kernel stores between
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite prepared 2 u write */
		return -EFAULT;
	k->pts[0] = k->pos;
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
