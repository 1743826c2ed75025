// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a comparison that a size decides, in the other way where locks are smaller
 * Verdict: not proven
 * Says: may be another number
 */
#include <linux/spinlock.h>

bool subject(int *p)
{
	*p = 1;
	return sizeof(spinlock_t) <= 8;
}
