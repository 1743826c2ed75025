// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function of the file uses an argument where an option is on
 * Verdict: not proven
 * Says: another value
 */
#include <linux/kconfig.h>

extern void subject_use(int m);
static int subject_in(int x, int m)
{
	if (IS_ENABLED(CONFIG_S390))
		subject_use(m);
	return x * 3;
}
int subject(int x)
{
	return subject_in(x, 1);
}
