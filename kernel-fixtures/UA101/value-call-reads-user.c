// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the call in a value reads the user memory written just before
 * Row: calls in value arguments
 * Shape: C
 * Twin: value-call
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static u32 checksum(struct point __user *pos)
{
	u32 x;

	return get_user(x, &pos->x) ? 0 : x * 31;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->pos.x))	/* want: UA101 report call-between 2 u write */
		return -EFAULT;
	if (put_user(checksum(&u->pos), &u->pos.y))
		return -EFAULT;

	return 0;
}
