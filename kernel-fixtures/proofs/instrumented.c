// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an atomic operation that KASAN and KCSAN instrument, for code that they may not
 * Verdict: not proven
 * Says: one of both is instrumented
 */
#include <linux/atomic.h>

int subject(atomic_t *v)
{
	return raw_atomic_read(v);
}
