// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a check that there is a reader, which is no code without CONFIG_PROVE_RCU, and that the lines before have passed
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/rcupdate.h>

int use(int *p);

int changed(int *p, int n)
{
	rcu_read_lock();
	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "no reader");
	n = use(p);
	rcu_read_unlock();
	return n;
}
