// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an inline function of all configurations takes the place of its code
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return (u32)(((u64)k->a << 8) >> 32);
}
