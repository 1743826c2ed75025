// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loads are swapped around smp_rmb()
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;
	a = k->a;
	smp_rmb();
	b = k->b;

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
