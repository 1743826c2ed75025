// SPDX-License-Identifier: GPL-2.0
/*
 * Title: cond_resched() is called with user access open
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b;
	if (put_user(a, &u->a))
		return -EFAULT;
	cond_resched();
	if (put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
