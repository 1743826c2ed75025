// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code that may not be traced moves to an inline function, which may not be, either
 * Verdict: proven
 */
#include <linux/compiler.h>

int clock(void);
int changed(int shift);

notrace int changed(int shift)
{
	return clock() << (shift & 7);
}
