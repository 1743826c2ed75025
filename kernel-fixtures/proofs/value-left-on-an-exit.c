// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an exit returns a value that was not set, for which gcc takes the one set later
 * Verdict: not proven
 * Says: may be used without a value
 */
#include <linux/errno.h>

int subject(int a, int *p)
{
	int ret;

	if (!p)
		return -EINVAL;
	ret = -EINVAL;
	if (a)
		*p = a;
	return ret;
}
