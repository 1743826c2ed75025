// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy has the size of its destination, which has the same type
 * Verdict: proven
 */
#include <linux/string.h>
#include <linux/types.h>

struct place {
	u64 number;
	u32 kind;
};

void subject(struct place *to, struct place *from);

void subject(struct place *to, struct place *from)
{
	memcpy(to, from, sizeof(*from));
}
