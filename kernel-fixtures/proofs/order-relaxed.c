// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an atomic operation loses its order, which x86 keeps
 * Verdict: not proven
 * Says: may order accesses
 */
#include <fixture/arguments.h>
#include <linux/atomic.h>

int subject(struct karg *k, struct uarg __user *u)
{
	atomic_t *users = (atomic_t *)&k->total;

	k->a = k->b;
	return atomic_inc_return(users);
}
