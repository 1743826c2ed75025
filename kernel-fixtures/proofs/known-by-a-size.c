// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of a lock is compared with a number
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/spinlock.h>
#include <linux/types.h>

void report(const char *what);

int changed(u32 from, u32 to)
{
	report("begin");
	if (sizeof(spinlock_t) == 4)
		report("small");
	return from;
}
