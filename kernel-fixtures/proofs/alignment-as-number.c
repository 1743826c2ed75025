// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number for the alignment of a type
 * Verdict: not proven
 * Says: may be aligned otherwise
 */
#include <linux/align.h>
#include <linux/types.h>

size_t subject(size_t n)
{
	return ALIGN(n, __alignof__(u64));
}
