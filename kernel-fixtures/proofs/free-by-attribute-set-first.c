// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what an attribute frees is set before any exit, and need not be where it is declared
 * Verdict: proven
 */
#include <linux/cleanup.h>
#include <linux/slab.h>

int subject(int a, int *p)
{
	int *q __free(kfree) = NULL;

	q = kmalloc(sizeof(*q), GFP_KERNEL);
	if (!q)
		return -ENOMEM;
	if (a < 0)
		return -EINVAL;
	*p = a;
	return 0;
}
