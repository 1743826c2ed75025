// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call of a function that nothing declares, as in a patch for another version
 * Verdict: not proven
 * Says: weigh_all\(\) is declared without its parameters, or not at all
 */
#include <fixture/arguments.h>

int weigh(u32 value);

int subject(struct karg *k, struct uarg __user *u)
{
	return weigh(k->a);
}
