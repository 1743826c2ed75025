// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an if in a macro, with a block after it
 * Row: spatch cannot parse the function
 * Shape: A
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	IF_FLAG(k, SET) {
		if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
		    put_user(k->b, &u->b) ||
		    put_user(k->c, &u->c))
			return -EFAULT;
	}
	return 0;
}
