// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assertion at compile time that says less, beside a right change
 * Verdict: not proven
 * Says: what it asserts may not hold
 */
#include <linux/build_bug.h>

struct pair {
	int first;
	int second;
};

static_assert(sizeof(struct pair) == 8);

int changed(struct pair *pair);

int changed(struct pair *pair)
{
	int first = pair->first;

	return first;
}
