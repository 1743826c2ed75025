// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the new helper is given another pointer, which need not be aligned
 * Verdict: not proven
 * Says: no alignment
 */
#include <linux/types.h>
#include <linux/unaligned.h>

int subject(int *p, int *q, int c)
{
	int x, y;

	x = get_unaligned(q);
	y = *p;

	return c ? x : y * 3;
}
