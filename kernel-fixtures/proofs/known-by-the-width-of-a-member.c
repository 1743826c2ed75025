// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro has another width of a member in another configuration
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);

#ifdef CONFIG_CPU_BIG_ENDIAN
#define bits 2
#else
#define bits 1
#endif

struct range {
	u32 amount:bits;
	u32 other;
};

int changed(struct range *r)
{
	report("begin");
	if (r->amount > 1)
		report("much");
	return r->other;
}
