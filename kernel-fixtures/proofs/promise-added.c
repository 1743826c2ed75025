// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the compiler is told that a function depends on its arguments alone
 * Verdict: not proven
 * Says: told of a function
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	extern u32 seen(struct karg *k);

	k->b = seen(k);
	return 0;
}
