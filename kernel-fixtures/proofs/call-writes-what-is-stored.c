// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call moves before the store of memory it may write
 * Verdict: not proven
 * Says: now precedes
 * Unproven: no proof looks at what a call depends on that moves before an access
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>


int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||
	    put_user(next_serial(k), &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
