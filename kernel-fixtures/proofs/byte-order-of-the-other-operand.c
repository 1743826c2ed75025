// SPDX-License-Identifier: GPL-2.0
/*
 * Title: of two operands the other one is converted
 * Verdict: proven
 */
#include <linux/types.h>
#include <asm/byteorder.h>

struct entry {
	__be32 kind;
};

int subject(const struct entry *entry);
int subject(const struct entry *entry)
{
	return entry->kind == cpu_to_be32(0x54465331);
}
