// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the caller of a function that may be inlined now
 * Verdict: not proven
 * Says: attributes and promises
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>

unsigned long got(unsigned long);
noinline unsigned long changed(struct karg *k)
{
	return got(_RET_IP_);
}
