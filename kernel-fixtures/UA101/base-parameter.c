// SPDX-License-Identifier: GPL-2.0
/*
 * Title: attributes follow the name of the parameter
 * Row: base is a parameter
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u __attribute__((unused)))
{
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
