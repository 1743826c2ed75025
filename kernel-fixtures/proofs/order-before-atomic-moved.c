// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a barrier is before another atomic operation
 * Verdict: not proven
 * Says: this architecture may order
 */
#include <fixture/arguments.h>
#include <linux/atomic.h>

int changed(atomic_t *a, atomic_t *b, struct karg *k)
{
	smp_mb__before_atomic();
	atomic_inc(a);
	atomic_inc(b);
	return 0;
}
