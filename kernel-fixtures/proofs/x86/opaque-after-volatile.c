// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another page is flushed on one of two paths
 * Verdict: not proven
 * Says: an operand of 'invlpg
 */
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/msr.h>

void subject(u32 *p, u32 c, u32 d);

void subject(u32 *p, u32 c, u32 d)
{
	u32 v = d;

	if (c == 5)
		v = 2;
	else if (READ_ONCE(p[1]))
		v = 7;
	WRITE_ONCE(p[0], 0);
	asm volatile("invlpg (%0)" : : "r" ((unsigned long)v));
}
