// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is not traced, and is with another name
 * Verdict: not proven
 * Says: it is traced, and low\(\) was not
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
