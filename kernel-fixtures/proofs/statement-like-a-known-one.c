// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same of a statement that does nothing here, and loses its condition
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/types.h>

int use(int p);

#ifdef CONFIG_KCOV
#define pr_count(n) use(n)
#else
#define pr_count(n) do { } while (0)
#endif

int changed(int n)
{
	int r = use(n);

	if (r > 3)
		pr_count(n);
	return r;
}
