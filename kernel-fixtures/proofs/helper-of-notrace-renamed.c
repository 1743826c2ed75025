// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that code calls which may not be traced gets another name
 * Verdict: proven
 */
#include <linux/compiler.h>
#include <linux/types.h>

int clock(void);
int changed(int shift);

static int helper(int shift)
{
	return clock() << (shift & 7);
}

notrace int changed(int shift)
{
	return helper(shift);
}
