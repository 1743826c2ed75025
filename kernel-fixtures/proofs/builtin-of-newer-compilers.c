// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a builtin that clang does not have
 * Verdict: not proven
 * Says: may not have it
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>

int sum_fits(struct karg *k);

int sum_fits(struct karg *k)
{
	int sum;

	return !check_add_overflow(k->a, k->b, &sum);
}
