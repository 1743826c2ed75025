// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an option decides in what always runs
 * Verdict: not proven
 * Says: unreachable
 */
#include <linux/kconfig.h>
#include <linux/types.h>

void report(const char *what);

int changed(u32 from, u32 to)
{
	s64 sum = (u64)from + 1;

	report("begin");
	if (sum > 0) {
		if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN)) {
			report("other");
			report("end");
		}
	}
	return from;
}
