// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a guard for the whole function: the label is in its scope too
 * Row: inside a guard() or __free() scope
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	guard(mutex)(&k->lock);

	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	k->total++;
	return 0;
}
