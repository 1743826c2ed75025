// SPDX-License-Identifier: GPL-2.0
/*
 * Title: something points to the local that is loaded, and nothing reads it on a fault
 * Row: destination escapes
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct moment when, *last = &when;

	if (get_user(when.sec, &u->when.sec) ||	/* want: UA101 rewrite prepared 2 u read */
	    get_user(when.nsec, &u->when.nsec))
		return -EFAULT;

	k->when = *last;
	return 0;
}
