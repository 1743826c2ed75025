// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another word is read by a helper for what is not aligned
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/unaligned.h>
#include <linux/types.h>

u32 subject(u32 *p, u32 *q);

static u32 word(u32 *p)
{
	return get_unaligned(p);
}
static u32 plain(u32 *p)
{
	return *p;
}

u32 subject(u32 *p, u32 *q)
{
	u32 a = word(p);

	return a + plain(q);
}
