// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store in the place of atomic_set(), which takes a lock on some architectures
 * Verdict: not proven
 * Says: atomic_set\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/atomic.h>

int changed(atomic_t *a, struct karg *k)
{
	atomic_set(a, k->a);
	return 0;
}
