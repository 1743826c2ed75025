// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number gets the name of an enumerator that is the same in every configuration
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/in.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a == 6 ? 0 : -EPROTONOSUPPORT;
}
