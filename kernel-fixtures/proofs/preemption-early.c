// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store moves behind preempt_enable()
 * Verdict: not proven
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
