// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local word of which a half is set
 * Verdict: not proven
 * Says: which bytes of another type it accesses
 */
#include <linux/types.h>

void take(unsigned long value);

void subject(u32 x)
{
	unsigned long v = 0;

	v = x;
	take(v);
}
