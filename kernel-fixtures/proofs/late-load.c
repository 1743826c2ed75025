// SPDX-License-Identifier: GPL-2.0
/*
 * Title: get_user() fails where access_ok() did, and zeroes its destination
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(&u->a, sizeof(u->a)))
		return -EFAULT;
	if (__get_user(k->a, &u->a))
		return -EFAULT;

	return 0;
}
