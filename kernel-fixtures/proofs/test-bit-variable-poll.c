// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a bit is polled only once
 * Verdict: not proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b;

	while (test_bit(b & 63, &k->l0))
		cpu_relax();

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
