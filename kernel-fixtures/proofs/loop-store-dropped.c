// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store in a loop is dropped for some elements
 * Verdict: different
 */
#include <linux/ctype.h>
#include <linux/types.h>

int fill(u32 *to, const u32 *from, u32 count);

int fill(u32 *to, const u32 *from, u32 count)
{
	u32 n;

	for (n = 0; n < count; n++) {
		to[n] = from[n] + 1;
	}

	return 0;
}
