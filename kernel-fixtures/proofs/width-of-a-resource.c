// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an address is kept in a long, which has 32 bits where resources may have 64
 * Verdict: not proven
 * Says: the type may be wider than long
 */
#include <linux/ioport.h>

u64 first_byte(struct resource *r)
{
	u64 at = r->start;

	return at;
}
