// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the address of a variable, which is aligned otherwise elsewhere, is tested
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);
void fill(u32 *x);

int changed(u32 a)
{
	u32 x;

	fill(&x);
	if ((unsigned long)&x & 3)
		report("odd");
	return a;
}
