// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a flag is left out that is 0 where the stack grows down
 * Verdict: not proven
 * Says: VM_GROWSUP may have another value
 */
#include <fixture/arguments.h>
#include <linux/mm.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return !!(k->a & (VM_GROWSDOWN | VM_GROWSUP));
}
