// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a new function gets the address of a word
 * Verdict: proven
 */
#include <linux/types.h>

int set(long *p);

long subject(void)
{
	long v = 5;

	set(&v);
	return v + 1;
}
