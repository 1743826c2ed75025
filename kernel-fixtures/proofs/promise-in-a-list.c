// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a list of attributes gets one that promises something
 * Verdict: not proven
 * Says: promises to the compiler
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	extern u32 __attribute__((cold)) seen(struct karg *k);

	k->b = seen(k);
	return 0;
}
