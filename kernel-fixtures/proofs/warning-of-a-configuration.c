// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a warning that kernels for one processor have not
 * Verdict: not proven
 * Says: WARN_ON_SMP.. may be other code
 */
#include <linux/bug.h>
#include <linux/errno.h>

int subject(int *p)
{
	return WARN_ON(*p) ? -EINVAL : 0;
}
