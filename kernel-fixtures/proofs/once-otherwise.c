// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a condition of WARN_ON_ONCE() written otherwise
 * Verdict: proven
 */
#include <linux/bug.h>
#include <linux/errno.h>

int changed(int *a);

int changed(int *a)
{
	if (WARN_ON_ONCE(a == NULL))
		return -EINVAL;
	return 0;
}
