// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a signal frame's habit: one range check, then collected errors
 * Row: access_ok() directly before, only for this run
 * Shape: G
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;

	err |= __put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 4 u write */
	err |= __put_user(k->b, &u->b);
	err |= __put_user(k->c, &u->c);
	err |= __put_user(k->d, &u->d);

	return err;
}
