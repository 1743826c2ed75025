// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two tests that return the same error as one
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/errno.h>

int changed(struct karg *k)
{
	if (k->a > 3)
		return -EOPNOTSUPP;
	if (k->b > 3)
		return -EOPNOTSUPP;
	return 0;
}
