// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the call in a later value may change what an earlier one reads
 * Unproven: a call is made before an access that it came after: no proof looks for its like
 * Row: calls in value arguments
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static u32 counted(struct karg *k)
{
	k->total += 3;
	return k->total;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->total, &u->a) ||	/* want: UA101 rewrite manual 3 u write */
	    put_user(counted(k), &u->b) ||
	    put_user(k->total, &u->c))
		return -EFAULT;

	return 0;
}
