// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy has the size of its destination, which i386 aligns otherwise
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <linux/string.h>
#include <linux/types.h>

struct place {
	u64 number;
	u32 kind;
};

struct place_and_more {
	u64 number;
	u32 kind;
	u32 more;
};

void subject(struct place_and_more *to, struct place *from);

void subject(struct place_and_more *to, struct place *from)
{
	memcpy(to, from, sizeof(*from));
}
