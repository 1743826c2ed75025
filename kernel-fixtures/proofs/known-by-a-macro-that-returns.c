// SPDX-License-Identifier: GPL-2.0
/*
 * Title: without an option, a macro returns if a variable is below 0
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);

#ifdef CONFIG_CPU_BIG_ENDIAN
#define demand(x) do { } while (0)
#else
#define demand(x) do { if (!(x)) return -1; } while (0)
#endif

extern u32 most;

int changed(u32 a)
{
	int found = most - 1;

	demand(most > 0 && most < 16);
	if (found < 0)
		report("below");
	return found;
}
