// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same where it is the same for all arguments
 * Verdict: proven
 */
#include <linux/types.h>

int use(long p);

static inline int helper(long n)
{
	return use(n >> 3);
}

int changed(u8 n)
{
	return helper(n);
}

#ifdef CONFIG_KCOV
int more(int n)
{
	return helper(n);
}
#endif
