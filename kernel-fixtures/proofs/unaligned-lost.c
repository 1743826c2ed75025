// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load that need not be aligned becomes one that must, which x86 does alike
 * Verdict: not proven
 * Says: alignment
 */
#include <fixture/arguments.h>
#include <linux/unaligned.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return get_unaligned((u32 *)&k->b0);
}
