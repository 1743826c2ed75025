// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bytes between two members that are no longer written out, which m68k does not leave
 * Verdict: not proven
 * Says: the place of a member may be another number
 */
#include <linux/types.h>

struct item { u8 kind; u8 pad[3]; u32 count; };
void changed(struct item *i, u32 n)
{
	i->kind = 5;
	i->count = n;
}
