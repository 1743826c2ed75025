// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a type that has 32 bits with another option, by a name without _t
 * Verdict: not proven
 * Says: gauge may mean something else
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
