// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fixed type in the place of one that an option decides
 * Verdict: not proven
 * Says: item_t may mean something else
 */
#include <linux/types.h>

#ifdef CONFIG_HOTCOCCI
typedef u64 item_t;
#else
typedef u32 item_t;
#endif

int use(u64 value);
int changed(u64 a);

int changed(u64 a)
{
	item_t item = a;

	return use(item);
}
