// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in the place of an error
 * Verdict: not proven
 * Says: EOPNOTSUPP may have another value
 */
#include <fixture/arguments.h>
#include <linux/errno.h>

int changed(struct karg *k)
{
	return k->a ? -EOPNOTSUPP : 0;
}
