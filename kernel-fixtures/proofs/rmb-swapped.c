// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loads are swapped around smp_rmb()
 * Verdict: same
 * Sampled: it is wrong; only a run with values that are not tried, or another processor, tells
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
