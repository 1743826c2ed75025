// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a constant of the configuration, of the same value here, becomes the divisor
 * Verdict: not proven
 * Says: another value
 */
#include <linux/jiffies.h>

unsigned long subject(unsigned long *p)
{
	return *p + 250 * 250 / HZ;
}
