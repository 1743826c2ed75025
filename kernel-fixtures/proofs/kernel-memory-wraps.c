// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local is widened and no longer wraps
 * Verdict: different
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 first = k->h0 + 0x7102;

	if (first < 0x7102)
		return -ERANGE;

	k->a = first;
	return 0;
}
