// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is used before, too
 * Verdict: proven
 */
#include <fixture/arguments.h>

extern int take(int value);

int subject(struct karg *k, struct uarg __user *u)
{
	if (!k->b)
		return 0;
	return take(k->a);
}
