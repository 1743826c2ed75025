// SPDX-License-Identifier: GPL-2.0
/*
 * Title: stores whose errors are ignored stop at the first fault
 * Verdict: not proven
 * Says: that of a path without one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	put_user(k->a, &u->a);
	put_user(k->b, &u->b);
	return 0;
}
