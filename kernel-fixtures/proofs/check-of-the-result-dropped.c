// SPDX-License-Identifier: GPL-2.0
/*
 * Title: nobody needs to look at a result any longer
 * Verdict: not proven
 * Says: __must_check is for sparse, warnings or other builds
 */
#include <linux/types.h>

int __must_check tried(int *p);

int subject(int *p)
{
	return *p + 1;
}
