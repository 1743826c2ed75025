// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call is made with rcu_read_lock() held, of which only debugging options are told
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
