// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load is not volatile any more, with the same code
 * Verdict: not proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return READ_ONCE(k->a);
}
