// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault that nobody reports left 0, and now leaves the old value
 * Verdict: not proven
 * Says: that of a path without one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	get_user(k->a, &u->a);
	return 0;
}
