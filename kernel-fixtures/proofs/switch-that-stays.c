// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a definition stays that a header asks for, beside another change
 * Verdict: proven
 */
#define DISABLE_BRANCH_PROFILING
#include <fixture/arguments.h>

int first(struct karg *k);

int first(struct karg *k)
{
	if (k->a == 0)
		pr_info("none\n");
	return k->b;
}
