// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a product of a number and a constant of the configuration, in another order
 * Verdict: proven
 */
#include <linux/jiffies.h>

unsigned long subject(unsigned long *p)
{
	return *p + 60 * HZ;
}
