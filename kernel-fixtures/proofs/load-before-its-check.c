// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load is written before the check of its pointer, and gcc moves it behind
 * Verdict: not proven
 * Says: it may use a pointer
 */
#include <fixture/arguments.h>

extern int take(int value);

int subject(struct karg *k, struct uarg __user *u)
{
	if (!k)
		return 0;
	return take(k->a);
}
