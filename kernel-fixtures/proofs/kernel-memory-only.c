// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a narrow local is widened without effect; no user access involved
 * Verdict: proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 first = k->h0;

	if (!(first & 7) || first == 0x7102)
		return -EINVAL;

	k->a = first >> 3;
	return 0;
}
