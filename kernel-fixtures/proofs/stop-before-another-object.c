// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store to another object after a fault is lost
 * Verdict: not proven
 * Says: user store of 4
 * Unproven: a run does not tell which stores a window skips after a fault
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	err |= put_user(k->a, &u->a);
	err |= put_user(k->b, &u->b);
	err |= put_user(err, &k->user->s0);

	return err;
}
