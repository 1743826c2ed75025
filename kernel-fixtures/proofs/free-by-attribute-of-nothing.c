// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what an attribute frees was not set on an early exit
 * Verdict: not proven
 * Says: may be used without a value
 */
#include <linux/cleanup.h>
#include <linux/slab.h>

int subject(int a, int *p)
{
	int *q __free(kfree) = NULL;

	if (a < 0)
		return -EINVAL;
	q = kmalloc(sizeof(*q), GFP_KERNEL);
	if (!q)
		return -ENOMEM;
	*p = a;
	return 0;
}
