// SPDX-License-Identifier: GPL-2.0
/*
 * Title: reads of volatile memory, and exchanges, become operands of one expression
 * Verdict: not proven
 * Says: leaves open whether READ_ONCE
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

u32 subject(u32 *p);

u32 subject(u32 *p)
{
	u32 a = READ_ONCE(p[0]);
	u32 b = READ_ONCE(p[1]);

	return a - b;
}
