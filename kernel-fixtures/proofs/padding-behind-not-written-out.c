// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bytes after the last member that are no longer written out
 * Verdict: not proven
 * Says: a size or the place of a member
 */
#include <linux/types.h>

struct item { u32 count; u8 kind; u8 pad[3]; };
int out(struct item *i);
int changed(struct item *i, int n)
{
	return out(i + n);
}
