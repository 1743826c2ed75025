// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a header goes that only those of this architecture include
 * Verdict: not proven
 * Says: may not be declared
 */
#include <linux/personality.h>
#include <linux/sched.h>
int subject(int value);
int subject(int value)
{
	int found;

	found = value & PER_MASK;
	return found;
}
