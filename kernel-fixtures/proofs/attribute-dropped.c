// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an attribute without a macro is dropped
 * Verdict: not proven
 * Says: attributes and promises
 */
#include <linux/types.h>

__attribute__((no_stack_protector)) int subject(int *p);

int subject(int *p)
{
	int n = *p;

	return n + 1;
}
