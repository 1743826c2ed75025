// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the low bits of a long, in a function that is new
 * Verdict: proven
 */
#include <linux/types.h>

int use(int p);

int changed(unsigned long *p)
{
	return use((u32)*p);
}
