// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast of a pointer to anything that C does not need
 * Verdict: proven
 */
#include <linux/types.h>

u32 subject(void *p)
{
	u32 *q = (u32 *)p;

	return q[0] + q[1];
}
