// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number gets its name, of a header that it includes, and one of a header that another one includes
 * Verdict: proven
 */
#include <linux/personality.h>
#include <linux/sched.h>
int subject(int value);
int subject(int value)
{
	return value < 0 ? -4095 : value & 0xff;
}
