// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one bit of a value is lost
 * Verdict: different
 * Says: user store 8
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->q0, &u->q0) || put_user(k->q1, &u->q1))
		return -EFAULT;

	return 0;
}
