// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same with the second byte in a statement of its own, and with what is only computed in one
 * Verdict: proven
 */
#include <linux/io.h>
#include <linux/types.h>

u32 subject(int port);

static inline u32 half(u32 byte)
{
	return byte << 8;
}

u32 subject(int port)
{
	u32 low = inb(port), high, word;

	high = inb(port);
	word = half(high);
	word |= half(low) >> 8;
	return word;
}
