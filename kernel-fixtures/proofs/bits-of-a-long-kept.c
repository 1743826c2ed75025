// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a constant that has all bits of a long moves within its sum
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/jiffies.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->q0 = k->q1 + MAX_JIFFY_OFFSET;
	return 0;
}
