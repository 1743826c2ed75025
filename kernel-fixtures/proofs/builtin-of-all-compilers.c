// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the builtin that a macro is
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>

int sum_fits(struct karg *k);

int sum_fits(struct karg *k)
{
	int sum;

	return !check_add_overflow(k->a, k->b, &sum);
}
