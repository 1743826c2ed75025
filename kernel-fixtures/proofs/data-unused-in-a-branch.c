// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a table of a branch that only another configuration takes gets another number
 * Verdict: not proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (IS_ENABLED(CONFIG_NO_KERNEL_HAS_THIS)) {
		static const u32 steps[] = { 1, 2, 4 };

		return steps[k->a % 3];
	}
	return k->a;
}
