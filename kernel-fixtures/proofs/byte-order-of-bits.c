// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bits of a little-endian word without a conversion
 * Verdict: not proven
 * Says: a conversion of byte order
 */
#include <linux/bitfield.h>
#include <linux/bits.h>

u32 changed(const __le32 *words);

u32 changed(const __le32 *words)
{
	return le32_get_bits(words[1], GENMASK(9, 0));
}
