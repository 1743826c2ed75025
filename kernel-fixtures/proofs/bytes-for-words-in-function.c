// SPDX-License-Identifier: GPL-2.0
/*
 * Title: static words of a function that become bytes
 * Verdict: not proven
 * Says: v of changed\(\) may be aligned to less than before
 */
#include <linux/types.h>

void fill(void *to);
void show(const void *what);

void changed(void)
{
	static u32 v[2];

	fill(v);
}
