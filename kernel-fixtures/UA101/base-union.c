// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of one of the views of a union, of which user space may have passed no more
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

union view {
	struct moment when;
	struct point pos;
};

int subject(struct karg *k, struct uarg __user *u)
{
	union view __user *v = (union view __user *)&u->pos;

	if (put_user(k->when.sec, &v->when.sec) ||	/* want: UA101 rewrite prepared 2 v write */
	    put_user(k->when.nsec, &v->when.nsec))
		return -EFAULT;

	return 0;
}
