// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable of a type that an option decides, and no other one
 * Verdict: proven
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
