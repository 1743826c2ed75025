// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the argument of an empty weak function is written otherwise
 * Verdict: proven
 */
#include <fixture/arguments.h>

void __weak told(int value)
{
}

int subject(struct karg *k, struct uarg __user *u)
{
	told(k->b == 0);
	return k->a;
}
