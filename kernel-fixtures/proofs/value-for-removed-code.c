// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is used by code that the preprocessor removes
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/kconfig.h>

extern void subject_use(int m);
int subject(int x)
{
	int mask = 7;

	if (x > 4)
		mask = 3;
#ifdef CONFIG_S390
	subject_use(mask);
#endif
	return x;
}
