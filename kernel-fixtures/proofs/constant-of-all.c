// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number gets the name that it has in every configuration
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/time64.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a >= 1000000 ? -EINVAL : 0;
}
