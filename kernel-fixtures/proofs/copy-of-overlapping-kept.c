// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the twin: an overlapping copy stays one, beside another change
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct large {
	u64 words[40];
};

int copy(struct large *to, const struct large *from, int limit)
{
	*to = *from;
	if (limit > 3)
		return 1;
	return 0;
}
