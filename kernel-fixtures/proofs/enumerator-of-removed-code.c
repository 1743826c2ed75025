// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an enumerator that only another configuration uses changes, beside a right change
 * Verdict: not proven
 * Says: removed by the preprocessor
 */
#include <fixture/arguments.h>

enum { STEPS = 4 };

#ifdef CONFIG_NO_KERNEL_HAS_THIS
int step(void)
{
	return STEPS;
}
#endif

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b;
	return 0;
}
