// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load of four bytes at any address in the place of memcpy()
 * Verdict: not proven
 * Says: this architecture may need no alignment
 */
#include <fixture/arguments.h>
#include <linux/string.h>

int changed(u8 *p)
{
	u32 v;

	memcpy(&v, p + 1, sizeof(v));
	return v;
}
