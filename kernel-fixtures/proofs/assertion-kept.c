// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assertion at compile time behind what changes
 * Verdict: proven
 */
#include <linux/build_bug.h>

struct pair {
	int first;
	int second;
};

int changed(struct pair *pair);

int changed(struct pair *pair)
{
	int first = pair->first;

	return first;
}

static_assert(sizeof(struct pair) == 8);
