// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault that nobody reports left 0, and now leaves the old value
 * Verdict: permitted
 * Sampled: it is wrong; only a run with values that are not tried, or another processor, tells
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	get_user(k->a, &u->a);
	return 0;
}
