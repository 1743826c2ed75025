// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member that another option makes wider, and a variable
 * Verdict: not proven
 * Says: another number
 */
#include <linux/types.h>
struct record {
#ifdef CONFIG_HOTCOCCI
	u64 value;
#else
	u32 value;
#endif
};
int use(u64 value);
int subject(struct record *record, u64 value);
int subject(struct record *record, u64 value)
{
	u32 low = value;

	record->value = value;
	return use(record->value);
}
