// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a table that only another configuration uses gets another number, beside a right change
 * Verdict: not proven
 * Says: the compiler leaves the variable out
 */
#include <fixture/arguments.h>

static const u32 steps[] __maybe_unused = { 1, 2, 4 };

#ifdef CONFIG_NO_KERNEL_HAS_THIS
u32 step(u32 n)
{
	return steps[n % 3];
}
#endif

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b;
	return 0;
}
