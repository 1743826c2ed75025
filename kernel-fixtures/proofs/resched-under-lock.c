// SPDX-License-Identifier: GPL-2.0
/*
 * Title: cond_resched() moves under a spinlock
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;
	cond_resched();
	spin_lock(&k->spin);
	a = k->a;
	b = k->b;
	spin_unlock(&k->spin);
	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
