// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same of an inline function that does nothing here
 * Verdict: not proven
 * Says: up_limit\(\) may be other code
 */
#include <linux/types.h>

int use(int p);

#ifdef CONFIG_KCOV
static inline int up_limit(int n) { return n + 5; }
#else
static inline int up_limit(int n) { return n; }
#endif

int changed(int n)
{
	return use(up_limit(n));
}
