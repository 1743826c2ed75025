// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same, through a macro, where an option decides whether it is called
 * Verdict: not proven
 * Says: it differs for other arguments
 */
#include <linux/types.h>

int use(long p);

static inline int helper(long n)
{
	return use(n >> 3);
}

#define helped(n) helper(n)

int changed(u8 n)
{
	return helped(n);
}

int more(int n)
{
	return IS_ENABLED(CONFIG_KCOV) ? helped(n) : 0;
}
