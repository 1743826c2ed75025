// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an option gives the type of a member a sign
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);

#ifdef CONFIG_CPU_BIG_ENDIAN
typedef s32 amount_t;
#else
typedef u32 amount_t;
#endif

struct range {
	amount_t length;
};

int changed(struct range *r)
{
	report("begin");
	if (r->length < 0)
		report("below");
	return r->length;
}
