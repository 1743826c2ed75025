// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load is moved in front of the bit that locks what it reads
 * Verdict: same
 * Sampled: it is no right one; only others that run at the same time tell
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
