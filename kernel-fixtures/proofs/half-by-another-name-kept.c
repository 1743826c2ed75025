// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same function with another name
 * Verdict: proven
 */
#include <linux/types.h>

int use(int p);

static noinline int low(unsigned long *p)
{
	return (u32)*p;
}

int changed(unsigned long *p)
{
	return use(low(p));
}
