// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an option gives a member a sign
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);

struct range {
	u32 from;
#ifdef CONFIG_CPU_BIG_ENDIAN
	s32 length;
#else
	u32 length;
#endif
};

int changed(const struct range *range)
{
	report("begin");
	if (range->length < 0)
		report("below");
	return range->from;
}
