// SPDX-License-Identifier: GPL-2.0
/*
 * Title: which byte of a word has a value depends on byte order and width
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);

int changed(u32 a)
{
	union { unsigned long l; u8 b[8]; } x = { .b = { 0 } };

	x.l = 1;
	report("begin");
	if (x.b[7])
		report("big");
	return a;
}
