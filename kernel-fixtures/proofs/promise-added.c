// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an attribute promises that a function depends on its arguments alone
 * Verdict: not proven
 * Says: promises to the compiler
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	extern u32 seen(struct karg *k);

	k->b = seen(k);
	return 0;
}
