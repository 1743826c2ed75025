// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a definition goes that a header asks for where an option is on
 * Verdict: not proven
 * Says: decided by the preprocessor
 */
#define DISABLE_BRANCH_PROFILING
#include <fixture/arguments.h>

int first(struct karg *k);

int first(struct karg *k)
{
	if (k->a == 0)
		return -EINVAL;
	return k->b;
}
