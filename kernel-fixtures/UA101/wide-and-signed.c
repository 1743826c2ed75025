// SPDX-License-Identifier: GPL-2.0
/*
 * Title: destinations wider than the member, and of the other sign
 * Row: wide destination, narrow source, signedness, pointers
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *next;
	unsigned long h;
	long s;

	if (get_user(s, &u->s0) ||	/* want: UA101 rewrite safe 3 u read */
	    get_user(h, &u->h0) ||
	    get_user(next, &u->next))
		return -EFAULT;

	k->l0 = s + h;
	k->flag = next == k->user;
	return 0;
}
