// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the address of the local is taken after the accesses, or for memset() only
 * Row: destination escapes
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct moment when, *last;

	memset(&when, 0, sizeof(when));
	if (get_user(when.sec, &u->when.sec) ||	/* want: UA101 rewrite safe 2 u read */
	    get_user(when.nsec, &u->when.nsec))
		return -EFAULT;

	last = &when;
	k->when = *last;
	return 0;
}
