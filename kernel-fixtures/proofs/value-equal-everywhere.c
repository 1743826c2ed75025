// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same, and both are of pages
 * Verdict: proven
 */
#include <linux/mm.h>

unsigned long subject(unsigned long x)
{
	unsigned long pfn = x >> PAGE_SHIFT, block = x >> PAGE_SHIFT;

	if (pfn & 1)
		return block + 1;
	return block;
}
