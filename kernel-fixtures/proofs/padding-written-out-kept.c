// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same with another name of a member
 * Verdict: proven
 */
#include <linux/types.h>

struct item { u8 kind; u8 pad[3]; u32 count; };
void changed(struct item *i, u32 n)
{
	i->kind = 5;
	i->count = n;
}
