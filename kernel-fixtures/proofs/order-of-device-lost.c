// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a barrier for memory that a device writes is one for the compiler only
 * Verdict: not proven
 * Says: may order accesses
 */
#include <fixture/arguments.h>
#include <asm/barrier.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 total = READ_ONCE(k->total);

	dma_rmb();
	k->a = k->b;
	return total != 0;
}
