// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an option adds an enumerator below 0 to a type without a name
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);

struct item {
	enum {
		NONE, ONE,
#ifdef CONFIG_CPU_BIG_ENDIAN
		BROKEN = -1,
#endif
	} kind;
	int value;
};

int changed(struct item *r)
{
	report("begin");
	if (r->kind < 0)
		report("below");
	return r->value;
}
