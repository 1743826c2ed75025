// SPDX-License-Identifier: GPL-2.0
/*
 * Title: nobody needs to look at a result any longer, and another declaration of its type is gone
 * Verdict: not proven
 * Says: __must_check is for sparse, warnings or other builds
 */
#include <linux/types.h>

int __must_check tried(int *p);

int subject(int *p)
{
	int sum = *p + 1;

	return sum;
}
