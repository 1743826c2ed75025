// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is used where an option is on
 * Verdict: not proven
 * Says: another value
 */
#include <linux/kconfig.h>

extern void subject_use(int m);
int subject(int x)
{
	int mask = 7;

	if (x > 4)
		mask = 3;
	if (IS_ENABLED(CONFIG_S390))
		subject_use(mask);
	return x;
}
