// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same, always inline, and through another inline function
 * Verdict: not proven
 * Says: it differs for other arguments
 */
#include <linux/types.h>

int use(long p);

static __always_inline int helper(long n)
{
	return use(n >> 3);
}

static inline int between(long n)
{
	return helper(n);
}

int changed(u8 n)
{
	return between(n);
}

#ifdef CONFIG_KCOV
int more(int n)
{
	return between(n);
}
#endif
