// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store moves before a load-acquire
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!smp_load_acquire(&k->total))
		k->c = 0;
	k->b = 7;

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
