// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a builtin that is a call of what lib/clz_ctz.c has
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/bitops.h>

int first_bit(struct karg *k);

int first_bit(struct karg *k)
{
	return __ffs(k->l0);
}
