// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an option adds an enumerator below 0 to a type
 * Verdict: not proven
 * Says: decided by a constant
 */
#include <linux/types.h>

void report(const char *what);

typedef enum {
	NONE, ONE,
#ifdef CONFIG_CPU_BIG_ENDIAN
	BROKEN = -1,
#endif
} kind_t;

struct item {
	kind_t kind;
	int value;
};

int changed(const struct item *item)
{
	report("begin");
	if (item->kind < 0)
		report("below");
	return item->value;
}
