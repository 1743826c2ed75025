// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a mask by its bits
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/bits.h>

int changed(u32 v)
{
	return v & 0x3f;
}
