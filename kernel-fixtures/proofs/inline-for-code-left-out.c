// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an inline function that is the same for what is passed here, and differs for what removed code passes
 * Verdict: not proven
 * Says: it differs for other arguments
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
