// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a constant that an option sets decides whether a variable is below 0
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/kconfig.h>
#include <linux/types.h>

void report(const char *what);

static const bool checks = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);

int changed(u32 a)
{
	int found = 0;

	report("begin");
	if (checks)
		found = a ? -1 : 1;
	if (found < 0)
		report("below");
	return found;
}
