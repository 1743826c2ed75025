// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call after the fault reads the destination that is no longer zeroed
 * Verdict: different
 * Says: memory differs at call audit
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
