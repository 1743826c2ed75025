// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a shift by 32 of what has 32 bits elsewhere
 * Verdict: not proven
 * Says: a shift by 32 is undefined
 */
#include <linux/types.h>
#include <linux/wordpart.h>

u32 upper_half(dma_addr_t address)
{
	return upper_32_bits(address);
}
