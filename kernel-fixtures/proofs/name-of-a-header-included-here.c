// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number gets its name, of a header that only those of this architecture include
 * Verdict: not proven
 * Says: PER_MASK is declared by no header
 */
#include <linux/sched.h>
int subject(int value);
int subject(int value)
{
	return value & 0xff;
}
