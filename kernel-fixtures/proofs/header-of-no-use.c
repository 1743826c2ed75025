// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a header goes of which nothing is used
 * Verdict: proven
 */
#include <linux/personality.h>
#include <linux/sched.h>
int subject(int value);
int subject(int value)
{
	int found;

	found = value + 1;
	return found;
}
