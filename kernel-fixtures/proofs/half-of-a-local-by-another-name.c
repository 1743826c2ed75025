// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a half of a local in a union, in a function with another name
 * Verdict: not proven
 * Says: which bytes of another type it accesses
 */
#include <linux/types.h>

int use(int p);

unsigned long get(int p);

static noinline int low(int n)
{
	unsigned long v = get(n);

	return use((u32)v);
}

int changed(int n)
{
	return low(n) + 1;
}
