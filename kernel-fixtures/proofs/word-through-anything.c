// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the lower half of a local word through a pointer to anything
 * Verdict: not proven
 * Says: which bytes of another type it accesses
 */
#include <linux/types.h>

long give(void);

int subject(void)
{
	long v = give();

	return (int)v;
}
