// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a goto leads to what a condition that is never true skips
 * Verdict: different
 * Says: call
 */
#include <linux/types.h>

void report(const char *what);

int changed(u32 from, u32 to)
{
	int left = 4;

	report("begin");
	if (from > to)
		goto none;
	while (left) {
		from += left--;
		report("step");
	}
	if (left < 0) {
none:
		report("none");
	}
	return from;
}
