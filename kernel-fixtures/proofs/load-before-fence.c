// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load moves before a full barrier
 * Verdict: not proven
 * Unproven: wrong, but only other CPUs can observe it
 */
#include <fixture/arguments.h>
#include <linux/bitops.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b;

	k->flag = 1;
	smp_mb();
	b = k->b;

	if (put_user(a, &u->a) ||
	    put_user(b, &u->b))
		return -EFAULT;

	return 0;
}
