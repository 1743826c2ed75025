// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a builtin that is a call on other processors
 * Verdict: not proven
 * Says: kernels need not have
 */
#include <fixture/arguments.h>
#include <linux/bitops.h>

int first_bit(struct karg *k);

int first_bit(struct karg *k)
{
	return ffs(k->a);
}
