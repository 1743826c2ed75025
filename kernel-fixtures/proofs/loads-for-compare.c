// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two loads of four bytes in the place of memcmp()
 * Verdict: not proven
 * Says: this architecture may need no alignment
 */
#include <fixture/arguments.h>
#include <linux/string.h>

int changed(u8 *p, u8 *q)
{
	return !memcmp(p, q, 4);
}
