// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a half of a long, in a function with another name
 * Verdict: not proven
 * Says: which part of a word these are depends on the byte order
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
