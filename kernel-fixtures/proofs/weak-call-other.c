// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an empty weak function, which another file may define, gets another argument
 * Verdict: different
 */
#include <fixture/arguments.h>

void __weak noted(int value)
{
}

int subject(struct karg *k, struct uarg __user *u)
{
	noted(k->a);
	return k->a;
}
