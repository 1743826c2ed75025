// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the smaller of two values by a macro
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/minmax.h>

int changed(struct karg *k)
{
	return k->a < k->b ? k->a : k->b;
}
