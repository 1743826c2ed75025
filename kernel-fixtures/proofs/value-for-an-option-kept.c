// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value for code of an option is the same
 * Verdict: proven
 */
#include <linux/kconfig.h>

extern void use(int m);

static int inner(int x, int m)
{
	if (IS_ENABLED(CONFIG_S390))
		use(m);
	return x * 3;
}

int subject(int x)
{
	int mask = 7;

	if (x > 4)
		mask = 3;
	if (IS_ENABLED(CONFIG_S390) && mask == 3)
		use(mask);
	return inner(x, mask);
}
