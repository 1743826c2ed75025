// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the advanced pointer goes on to another store
 * Row: constant stride
 * Shape: I
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;

	if (put_user(k->a, p++) ||	/* want: UA101 rewrite manual 3 p write */
	    put_user(k->b, p++) ||
	    put_user(k->c, p++))
		return -EFAULT;

	audit(k);
	return put_user(k->d, p);
}
