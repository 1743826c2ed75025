// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable of a fixed type in the place of one that an option decides
 * Verdict: not proven
 * Says: another value
 */
#include <linux/types.h>

#ifdef CONFIG_HOTCOCCI
typedef u64 item_t;
#else
typedef u32 item_t;
#endif

int use(u64 one, u64 other);
int changed(u64 a);

int changed(u64 a)
{
	item_t one = a;
	u32 other = a;

	return use(one, other);
}
