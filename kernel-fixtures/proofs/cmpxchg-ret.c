// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the value that a failed cmpxchg() returned is loaded again
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b;

	if (!try_cmpxchg(&k->total, &a, b))
		b = a;

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
