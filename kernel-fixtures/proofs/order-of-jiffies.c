// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a volatile variable, and a call
 * Verdict: not proven
 * Says: leaves open whether jiffies or other
 */
#include <linux/jiffies.h>

unsigned long other(void);
unsigned long subject(void);

unsigned long subject(void)
{
	unsigned long now = jiffies;

	return now - other();
}
