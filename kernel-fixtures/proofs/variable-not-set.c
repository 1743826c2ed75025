// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable is uninitialised on one path
 * Verdict: different
 * Says: user store|returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 value = 0;

	if (k->flag)
		value = k->a;
	if (put_user(value, &u->a))
		return -EFAULT;

	return 0;
}
