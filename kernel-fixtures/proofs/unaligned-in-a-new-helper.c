// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load from any address is in a helper now, which only the function calls
 * Verdict: proven
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
