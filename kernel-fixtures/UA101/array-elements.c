// SPDX-License-Identifier: GPL-2.0
/*
 * Title: neighbouring elements by constant index and by addition
 * Row: constant stride
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;

	if (put_user(k->a, p) ||	/* want: UA101 rewrite safe 3 p write */
	    put_user(k->b, p + 1) ||
	    put_user(k->c, &p[2]))
		return -EFAULT;

	return 0;
}
