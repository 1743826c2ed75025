// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function of the file that reads what is not aligned is no longer called
 * Verdict: not proven
 * Says: may be other code in another configuration
 */
#include <linux/unaligned.h>

static inline u32 word_at(const void *p)
{
	return get_unaligned((const u32 *)p);
}

u32 subject(const u32 *p)
{
	return word_at(p + 1);
}
