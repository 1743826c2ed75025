// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one WARN_ON_ONCE() for two conditions
 * Verdict: not proven
 * Says: says once
 */
#include <linux/bug.h>
#include <linux/errno.h>

int changed(int a, int b);

int changed(int a, int b)
{
	if (WARN_ON_ONCE(a))
		return -EINVAL;
	if (WARN_ON_ONCE(b))
		return -EINVAL;
	return 0;
}
