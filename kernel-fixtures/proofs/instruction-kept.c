// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an instruction that neither engine models stays, with its operand
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	asm volatile("verw %0" : : "m" (k->h0) : "cc");
	if (k->a > 3)
		return 1;
	return 0;
}
