// SPDX-License-Identifier: GPL-2.0
/*
 * Title: stores stop at a fault, and the result is the same without one
 * Verdict: not proven
 * Says: that of a path without one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int bad = put_user(k->a, &u->a);

	bad |= put_user(k->b, &u->b);
	return k->flag ? 2 : 3;
}
