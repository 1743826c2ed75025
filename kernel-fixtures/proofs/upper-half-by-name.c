// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a shift by 32 gets its name
 * Verdict: proven
 */
#include <linux/types.h>
#include <linux/wordpart.h>

u32 upper_half(u64 value)
{
	return value >> 32;
}
