// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a directive gives the lines of a warning
 * Verdict: not proven
 * Says: decided by the preprocessor
 */
#include <linux/bug.h>

void subject(int *p)
{
	WARN_ON(*p);
	*p = 1;
}
