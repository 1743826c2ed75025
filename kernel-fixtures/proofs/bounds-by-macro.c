// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bounds of a value by a macro
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/minmax.h>

int changed(int v)
{
	if (v < 0)
		v = 0;
	if (v > 255)
		v = 255;
	return v;
}
