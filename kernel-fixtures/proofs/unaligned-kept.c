// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result of a load that need not be aligned goes through a local
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/unaligned.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return get_unaligned((u32 *)&k->b0);
}
