// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call after the fault reads the destination that is no longer zeroed
 * Verdict: not proven
 * Says: called after a fault
 * Unproven: a run does not tell which of the bytes a fault may leave unwritten
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = -EFAULT;

	if (get_user(k->a, &u->a) ||
	    get_user(k->b, &u->b))
		goto out;
	err = 0;
out:
	audit(k);
	return err;
}
