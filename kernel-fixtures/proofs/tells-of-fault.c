// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store that depends on the first fault is dropped after it
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int bad = put_user(k->a, &u->a);
	bad |= put_user(k->b | bad, &u->b);
	return bad ? -EFAULT : 0;
}
