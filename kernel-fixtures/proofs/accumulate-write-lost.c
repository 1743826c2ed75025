// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store to kernel memory after a fault is lost
 * Verdict: not proven
 * Says: kernel memory
 * Unproven: a run does not tell which of the bytes a fault may leave unwritten
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
