// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer that is followed is fetched as one that is only compared
 * Verdict: not proven
 * Says: may order accesses
 */
#include <fixture/arguments.h>
#include <linux/rcupdate.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *p = rcu_dereference(*(u32 __rcu **)k);

	return p ? *p != 0 : 0;
}
