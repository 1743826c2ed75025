// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load moves before a load-acquire
 * Verdict: not proven
 * Unproven: wrong, but only other CPUs can observe it
 */
#include <fixture/arguments.h>
#include <linux/bitops.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b;

	if (!smp_load_acquire(&k->flag))
		return -EBUSY;
	b = k->b;

	if (put_user(a, &u->a) ||
	    put_user(b, &u->b))
		return -EFAULT;

	return 0;
}
