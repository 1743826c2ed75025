// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value of ?: that is returned in a statement of its own
 * Verdict: proven
 */
#include <linux/err.h>

void *subject(void *p)
{
	return p ? p : ERR_PTR(-ENOMEM);
}
