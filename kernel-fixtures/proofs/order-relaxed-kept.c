// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a statement beside a relaxed atomic operation is written in another way
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/atomic.h>

int subject(struct karg *k, struct uarg __user *u)
{
	atomic_t *users = (atomic_t *)&k->total;

	k->a = k->b + k->b;
	return atomic_inc_return_relaxed(users);
}
