// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an enumerator that only unreachable code uses changes, beside a right change
 * Verdict: not proven
 * Says: unreachable
 */
#include <fixture/arguments.h>

enum { STEPS = 4 };

int step(void)
{
	if (IS_ENABLED(CONFIG_NO_KERNEL_HAS_THIS))
		return STEPS;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b;
	return 0;
}
