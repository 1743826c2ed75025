// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a barrier against speculation is dropped
 * Verdict: not proven
 * Says: barriers against speculation
 */
#include <fixture/arguments.h>
#include <linux/nospec.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->index >= 8)
		return -EINVAL;
	barrier_nospec();
	return k->words[k->index];
}
