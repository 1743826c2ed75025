// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is set on each path, and not before
 * Verdict: proven
 */
#include <linux/errno.h>

int subject(int a, int b, int *p)
{
	int ret = -EIO;

	if (a)
		ret = -EINVAL;
	*p = b;
	return ret;
}
