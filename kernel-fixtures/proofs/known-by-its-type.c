// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a difference of 32 bits is not below 0, whatever the configuration
 * Verdict: not proven
 * Says: its value is known here
 */
#include <linux/types.h>

struct clocks {
	u32 now, last;
};

void report(const char *what);

s64 changed(struct clocks *clocks, u32 step)
{
	s64 passed = 0;

	report("begin");
	if (!step)
		goto out;
	passed = (clocks->now - clocks->last) / step;
	if (passed < 0) {
		report("before");
		passed = -passed;
	}
out:
	return passed;
}
