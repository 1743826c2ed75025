// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an asm statement does not clobber memory any more, with the same code here
 * Verdict: not proven
 * Says: operands of asm statements
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 v = k->a;

	asm volatile("rorl %1, %0" : "+r" (v) : "i" (1) : "memory");
	k->a = v;
	return 0;
}
