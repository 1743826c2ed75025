// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast to a type that a macro of a header names
 * Row: spatch cannot parse the function
 * Shape: A
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void *nothing = (void *)(OF_TYPE(long))0;

	if (nothing)
		return -EINVAL;
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;
	return 0;
}
