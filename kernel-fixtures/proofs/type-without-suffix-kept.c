// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same type by its other name, which all configurations have
 * Verdict: proven
 */
#include <linux/types.h>

#ifdef CONFIG_64BIT
typedef u64 gauge;
#else
typedef u32 gauge;
#endif
typedef u64 level;

u64 read_gauge(u64 last);
int subject(u64 *p);

int subject(u64 *p)
{
	level seen = *p;

	if (read_gauge(seen) != 0)
		return 1;
	return 0;
}
