// SPDX-License-Identifier: GPL-2.0
/*
 * Title: numbers chosen by comparisons are chosen by a switch, of which gcc makes a table
 * Verdict: proven
 */
#include <linux/types.h>

int subject(u32 kind)
{
	if (kind == 1)
		return 0x8000;
	else if (kind == 4)
		return 0x4000;
	else if (kind == 8)
		return 0xa000;
	else
		return -1;
}
