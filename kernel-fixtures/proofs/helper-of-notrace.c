// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code that may not be traced moves to a function that may be
 * Verdict: not proven
 * Says: needs notrace, as the caller has it
 */
#include <linux/compiler.h>

int clock(void);
int changed(int shift);

notrace int changed(int shift)
{
	return clock() << (shift & 7);
}
