// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load is moved in front of a load that acquires
 * Verdict: same
 * Sampled: it is no right one; only others that run at the same time tell
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
