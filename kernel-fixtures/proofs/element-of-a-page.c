// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element that is 4096 in the place of one that is PAGE_SIZE
 * Verdict: not proven
 * Says: another value
 */
#include <linux/kernel.h>
#include <linux/mm.h>

static const unsigned long limits[] = { PAGE_SIZE, 4096 };

bool changed(unsigned long n, unsigned long *count);

bool changed(unsigned long n, unsigned long *count)
{
	*count = ARRAY_SIZE(limits);
	return n > limits[0];
}
