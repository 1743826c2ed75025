// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call is made with rcu_read_lock() held, and no trace shows what that changes
 * Verdict: not proven
 * Says: may differ
 */
#include <fixture/arguments.h>
#include <linux/rcupdate.h>

int checked(u32 value);
int first(struct karg *k);

int first(struct karg *k)
{
	return checked(k->a);
}
