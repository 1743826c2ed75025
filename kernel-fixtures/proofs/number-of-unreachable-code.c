// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number that only unreachable code uses changes, beside a right change
 * Verdict: not proven
 * Says: unreachable
 */
#include <fixture/arguments.h>

static u32 most = 4;

u32 step(u32 a)
{
	if (IS_ENABLED(CONFIG_NO_KERNEL_HAS_THIS))
		return a % most;
	return a;
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b;
	return 0;
}
