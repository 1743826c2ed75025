// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the compiler is told that a function depends on its arguments alone
 * Verdict: not proven
 * Says: told of a function
 */
#include <fixture/arguments.h>

extern u32 seen(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	k->b = seen(k);
	return 0;
}
