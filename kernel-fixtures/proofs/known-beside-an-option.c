// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a condition that is never true is beside an option
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/kconfig.h>
#include <linux/types.h>

void report(const char *what);

int changed(u32 from, u32 to)
{
	s64 left = to - from;

	report("begin");
	if (left < 0 || IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		report("none");
	return from;
}
