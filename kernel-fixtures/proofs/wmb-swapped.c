// SPDX-License-Identifier: GPL-2.0
/*
 * Title: stores are swapped around smp_wmb()
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b;

	k->words[0] = a;
	smp_wmb();
	k->total = 1;

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
