// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a half of a long, in a function that is new
 * Verdict: not proven
 * Says: which part of a word these are depends on the byte order
 */
#include <linux/types.h>

int use(int p);

int changed(unsigned long *p)
{
	return use((u32)*p);
}
