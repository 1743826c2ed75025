// SPDX-License-Identifier: GPL-2.0
/*
 * Title: texts chosen by comparisons are chosen by a switch, of which gcc makes a table
 * Verdict: proven
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
