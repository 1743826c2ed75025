// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the rest of the chain fetches a word twice and stays, so all of it does
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int more(struct karg *k, struct uarg __user *u)
{
	return get_user(k->when.sec, &u->when.sec);
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a) ||	/* want: UA101 report mixed-condition 2 u read */
	    get_user(k->b, &u->b) ||
	    more(k, u) ||
	    get_user(k->h0, &u->h0) ||	/* want: UA101 report double-fetch 3 u read */
	    get_user(k->h1, &u->h1) ||
	    get_user(k->count, &u->h1))
		return -EFAULT;

	return 0;
}
