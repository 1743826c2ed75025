// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro without parameters increments a member
 * Row: side effects in a value
 * Shape: A
 * Twin: value-macro-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define NEXT (k->total++)

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(NEXT, &u->a) ||	/* want: UA101 report side-effect-argument 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
