// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same where the condition after the check is inverted
 * Verdict: proven
 */
#include <linux/rcupdate.h>

int use(int *p);

int changed(int *p, int n)
{
	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "no reader");
	if (n > 4)
		return use(p);
	return 0;
}
