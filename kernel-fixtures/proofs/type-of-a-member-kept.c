// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member that another option makes wider, stored to once more
 * Verdict: proven
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
	record->value = value;
	if (record->value)
		return use(record->value);
	return 0;
}
