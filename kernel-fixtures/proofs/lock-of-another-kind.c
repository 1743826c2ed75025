// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a lock that sleeps with PREEMPT_RT is taken as one that does not
 * Verdict: not proven
 * Says: PREEMPT_RT
 */
#include <fixture/arguments.h>
#include <linux/spinlock.h>

int changed(spinlock_t *l, struct karg *k)
{
	spin_lock(l);
	k->a++;
	spin_unlock(l);
	return 0;
}
