// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of words that becomes one of other words
 * Verdict: proven
 */
#include <linux/types.h>

void fill(void *to);
void show(const void *what);

void changed(void)
{
	__be32 v[2];

	fill(v);
	show(v);
}
