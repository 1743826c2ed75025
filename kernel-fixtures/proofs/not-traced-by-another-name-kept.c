// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same that is not traced with another name either
 * Verdict: proven
 */
#include <linux/types.h>

int use(int p);

static noinline notrace int low(int n)
{
	return use(n + 1);
}

int changed(int n)
{
	return low(n) + 1;
}
