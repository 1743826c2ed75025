// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable is said to be read mostly: it has another address
 * Verdict: not proven
 * Says: attributes and promises
 */
#include <linux/cache.h>

static int limit = 5;

void take(int *p);

int subject(void)
{
	take(&limit);
	return limit;
}
