// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that sets nothing here, and what it may set left out
 * Verdict: not proven
 * Says: is not reached as before|another value
 */
#include <linux/errno.h>
#include <linux/types.h>

#ifdef CONFIG_HOTCOCCI
int find(int *found);
#else
static inline int find(int *found)
{
	return 0;
}
#endif

int use(int value);
int changed(int a);

int changed(int a)
{
	int found = 0;

	if (find(&found))
		return -EINVAL;
	return use(a + found);
}
