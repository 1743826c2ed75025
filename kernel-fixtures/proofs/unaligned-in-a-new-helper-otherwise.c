// SPDX-License-Identifier: GPL-2.0
/*
 * Title: of two loads, the other one may be from any address in the new helper
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/types.h>
#include <linux/unaligned.h>

int subject(int *p, int c)
{
	int v;

	if (c)
		v = get_unaligned(p);
	else
		v = *p;

	return v;
}
