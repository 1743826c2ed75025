// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the last case needs no break
 * Verdict: proven
 */
#include <linux/compiler.h>

int needs_no_break(int kind, int *count)
{
	switch (kind) {
	case 1:
		*count += 1;
		break;
	default:
		*count += 2;
		break;
	}
	return *count;
}
