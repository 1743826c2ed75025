// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that tells whether all accesses succeeded
 * Row: err |= … accumulates
 * Shape: B
 * Unproven: after a fault the old code stores what the new one does not, and false is no error number
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static bool save(struct karg *k, struct uarg __user *u)
{
	int err;

	err = put_user(k->total, &k->user->a);
	if (k->flag)
		return !err;

	err |= put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 2 u write */
	err |= put_user(k->b, &u->b);

	return !err;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return save(k, u) ? 0 : -EFAULT;
}
