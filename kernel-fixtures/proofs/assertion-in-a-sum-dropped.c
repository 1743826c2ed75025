// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assertion that is a zero in a sum is gone
 * Verdict: not proven
 * Says: what it asserts may not hold
 */
#include <linux/build_bug.h>

struct pair {
	int first;
	int second;
};

unsigned long subject(unsigned long a);

unsigned long subject(unsigned long a)
{
	return a + BUILD_BUG_ON_ZERO(sizeof(struct pair) != 8);
}
