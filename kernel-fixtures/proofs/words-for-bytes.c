// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of bytes that becomes one of words, which is aligned to more
 * Verdict: proven
 */
#include <linux/types.h>

void fill(void *to);
void show(const void *what);

void changed(void)
{
	u8 v[8];

	fill(v);
	show(v);
}
