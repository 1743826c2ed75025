// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure with padding becomes a literal, which clears its members alone
 * Verdict: not proven
 * Says: need not clear what is between
 */
#include <linux/string.h>
#include <linux/types.h>

struct record {
	u8 kind;
	u32 value;
	u64 time;
};

void subject(struct record *record, u32 value)
{
	memset(record, 0, sizeof(*record));
	record->value = value;
}
