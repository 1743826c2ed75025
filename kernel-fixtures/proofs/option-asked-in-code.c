// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value depends on another option, and both are set
 * Verdict: not proven
 * Says: decided by the preprocessor
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b + IS_ENABLED(CONFIG_MODULES);
	return 0;
}
