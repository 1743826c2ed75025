// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number for the alignment that allocations have here
 * Verdict: not proven
 * Says: ARCH_KMALLOC_MINALIGN may have another value
 */
#include <linux/slab.h>

size_t subject(size_t n)
{
	return ALIGN(n, ARCH_KMALLOC_MINALIGN);
}
