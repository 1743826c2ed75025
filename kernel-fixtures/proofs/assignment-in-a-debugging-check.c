// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assignment moves into a check that other configurations leave out
 * Verdict: not proven
 * Says: need not evaluate it in another configuration
 */
#include <linux/mmdebug.h>

unsigned long changed(unsigned long base, unsigned long more);

unsigned long changed(unsigned long base, unsigned long more)
{
	unsigned long sum;

	sum = base + more;
	VM_BUG_ON(sum > 100);
	return sum;
}
