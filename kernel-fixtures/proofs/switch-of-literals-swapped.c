// SPDX-License-Identifier: GPL-2.0
/*
 * Title: of texts in the table that gcc makes of a switch, two are swapped
 * Verdict: different
 * Says: returned 'third', now 'second'
 */
#include <linux/types.h>

const char *subject(u32 kind)
{
	if (kind == 0)
		return "none";
	else if (kind == 1)
		return "first";
	else if (kind == 2)
		return "second";
	else if (kind == 3)
		return "third";
	else
		return "other";
}
