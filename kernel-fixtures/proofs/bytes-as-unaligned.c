// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bytes in an order that is named, as one access that need not be aligned
 * Verdict: proven
 */
#include <linux/unaligned.h>

u32 subject(const u8 *p)
{
	return p[0] | (p[1] << 8) | (p[2] << 16) | ((u32)p[3] << 24);
}
