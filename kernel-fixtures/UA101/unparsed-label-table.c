// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a jump to one of several labels
 * Row: spatch cannot parse the function
 * Unproven: a table has the addresses of labels, which move
 * Shape: A
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static const void *const next[2] IN_TABLE = {
		[0] = &&none,
		[1] = &&store,
	};

	goto *next[k->flag];
store:
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;
	return 0;
none:
	return -EINVAL;
}
