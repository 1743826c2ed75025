// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is not set on a path, and gcc takes the one of the other path
 * Verdict: not proven
 * Says: may be used without a value
 */
#include <linux/errno.h>

int subject(int a, int b, int *p)
{
	int ret = -EIO;

	if (a)
		ret = -EIO;
	*p = b;
	return ret;
}
