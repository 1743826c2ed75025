// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is done after a fault is not done any more
 * Verdict: different
 * Says: kernel memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	err |= put_user(k->a, &u->a);
	err |= put_user(k->b, &u->b);
	k->total = 0;
	err |= put_user(k->c, &u->c);

	return err;
}
