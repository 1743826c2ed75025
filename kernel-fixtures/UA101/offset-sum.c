// SPDX-License-Identifier: GPL-2.0
/*
 * Title: offsets that are computed from numbers
 * Row: constant stride
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;

	if (put_user(k->a, p - 0) ||	/* want: UA101 rewrite safe 3 p write */
	    put_user(k->b, &p[2 - 1]) ||
	    put_user(k->c, p + (2 * 1)))
		return -EFAULT;

	return 0;
}
