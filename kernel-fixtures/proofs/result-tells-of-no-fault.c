// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a result that is not zero, but the same with and without a fault
 * Verdict: not proven
 * Says: that of a path without one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return 4;
	return 4;
}
