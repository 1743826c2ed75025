// SPDX-License-Identifier: GPL-2.0
/*
 * Title: sizes and offsets are constants, however they are written
 * Row: calls in a value
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(offsetof(struct uarg, b), &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(sizeof(*k), &u->b) ||
	    put_user(ARRAY_SIZE(k->words), &u->c))
		return -EFAULT;

	return 0;
}
