// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a list of attributes is kept beside a change
 * Verdict: proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	extern u32 __attribute__((cold, const)) seen(struct karg *k);

	k->b = seen(k) + 1;
	return 0;
}
