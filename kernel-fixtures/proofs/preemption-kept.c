// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store stays between preempt_disable() and preempt_enable()
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	preempt_disable();
	k->b = k->a;
	preempt_enable();
	return put_user(k->b, &u->b);
}
