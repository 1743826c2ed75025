// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size is the bound of a length, written otherwise
 * Verdict: proven
 */
#include <linux/minmax.h>
#include <linux/types.h>

size_t subject(size_t length, u64 *p)
{
	return length > sizeof(*p) ? sizeof(*p) : length;
}
