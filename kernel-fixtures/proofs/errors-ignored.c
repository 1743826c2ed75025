// SPDX-License-Identifier: GPL-2.0
/*
 * Title: stores whose errors are ignored stop at the first fault
 * Verdict: permitted
 * Sampled: it is wrong; only a run with values that are not tried, or another processor, tells
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	put_user(k->a, &u->a);
	put_user(k->b, &u->b);
	return 0;
}
