// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the lock that protects a pointer is no longer named, in a kernel without lockdep
 * Verdict: not proven
 * Says: a macro drops it
 */
#include <fixture/arguments.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

static u32 __rcu *shown;
static DEFINE_MUTEX(showing);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *p = rcu_dereference_protected(shown, lockdep_is_held(&showing));

	k->a = *p;
	return 0;
}
