// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable of one value takes the place of another, which is equal with pages of 4096 bytes
 * Verdict: not proven
 * Says: another value
 */
#include <linux/mm.h>

unsigned long subject(unsigned long x)
{
	unsigned long pfn = x >> PAGE_SHIFT, block = x >> 12;

	if (pfn & 1)
		return block + 1;
	return block;
}
