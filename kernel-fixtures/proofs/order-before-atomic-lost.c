// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a barrier before an atomic operation, which x86 does not need, is dropped
 * Verdict: not proven
 * Says: may order accesses
 */
#include <fixture/arguments.h>
#include <linux/atomic.h>

int subject(struct karg *k, struct uarg __user *u)
{
	atomic_t *users = (atomic_t *)&k->total;

	k->a = k->b;
	smp_mb__before_atomic();
	atomic_dec(users);
	return 0;
}
