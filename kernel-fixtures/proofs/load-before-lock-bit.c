// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load moves before the bit lock that protects it
 * Verdict: not proven
 * Unproven: wrong, but only other CPUs can observe it
 */
#include <fixture/arguments.h>
#include <linux/bitops.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b;

	if (test_and_set_bit(0, (unsigned long *)&k->l0))
		return -EBUSY;
	b = k->b;

	if (put_user(a, &u->a) ||
	    put_user(b, &u->b))
		return -EFAULT;

	return 0;
}
