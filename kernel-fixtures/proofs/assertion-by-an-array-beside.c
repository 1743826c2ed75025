// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper gets an object beside assertions on its size, by arrays that would have no elements
 * Verdict: proven
 */
#include <linux/string.h>
#include <linux/types.h>

#define asserted(type, size) typedef char type##_asserted[1 - 2 * !!(sizeof(struct type) != (size))]

struct record {
	u64 number;
	u32 kind;
	u32 length;
};
asserted(record, 16);
typedef char record_begins[offsetof(struct record, kind) == 8 ? 1 : -1];

void take(struct record *record);
void subject(struct record *record, u32 kind);
void subject(struct record *record, u32 kind)
{
	memset(record, 0, sizeof(struct record));
	record->kind = kind;
	take(record);
}
