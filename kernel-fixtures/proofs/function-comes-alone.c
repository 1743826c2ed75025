// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that other files may call comes alone
 * Verdict: not proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a;
}
