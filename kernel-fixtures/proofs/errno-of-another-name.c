// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two errors that are one here
 * Verdict: not proven
 * Says: EDEADLOCK may have another value
 */
#include <fixture/arguments.h>
#include <linux/errno.h>

int changed(struct karg *k)
{
	return k->a ? -EDEADLK : 0;
}
