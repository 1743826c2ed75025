// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an option decides whether a sum is below 0
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/kconfig.h>
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
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		passed -= step;
	if (passed < 0) {
		report("before");
		passed = -passed;
	}
out:
	return passed;
}
