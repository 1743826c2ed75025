// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is used where an option sets a macro of the file
 * Verdict: not proven
 * Says: another value
 */
#include <linux/kconfig.h>

#ifdef CONFIG_S390
#define N04_BIG 1
#else
#define N04_BIG 0
#endif
extern void n04_use(int m);
int subject(int x)
{
	int mask = 7;

	mask = x;
	if (N04_BIG)
		n04_use(mask);
	return x;
}
