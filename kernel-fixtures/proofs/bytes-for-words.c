// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of words that becomes one of bytes, which need not be aligned where a function takes it for words
 * Verdict: not proven
 * Says: a local that may be aligned to less than before
 */
#include <linux/types.h>

void fill(void *to);
void show(const void *what);

void changed(void)
{
	u32 v[2];

	fill(v);
	show(v);
}
