// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function keeps its attributes, and the variable beside them gets one that is compared
 * Verdict: proven
 */
#include <linux/compiler.h>

__attribute__((nonnull(2))) int kept_in_a_list(int a, int *b)
{
	int sum = a + *b;

	return sum;
}
