// SPDX-License-Identifier: GPL-2.0
/*
 * Title: static words that become bytes, which need not be aligned
 * Verdict: not proven
 * Says: v may be aligned to less than before
 */
#include <linux/types.h>

void fill(void *to);
void show(const void *what);

static u32 v[2];
void changed(void)
{
	fill(v);
}
