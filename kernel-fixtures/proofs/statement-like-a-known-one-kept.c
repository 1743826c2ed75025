// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same with its condition turned
 * Verdict: proven
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
