// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assignment moves into a check that is made in every configuration
 * Verdict: proven
 */
#include <linux/bug.h>

unsigned long changed(unsigned long base, unsigned long more);

unsigned long changed(unsigned long base, unsigned long more)
{
	unsigned long sum;

	sum = base + more;
	BUG_ON(sum > 100);
	return sum;
}
