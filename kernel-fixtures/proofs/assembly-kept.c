// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the operand of an asm statement is loaded in another way
 * Verdict: proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 v = k->a;

	asm volatile("rorl %1, %0" : "+r" (v) : "i" (1) : "memory");
	k->a = v;
	return 0;
}
