// SPDX-License-Identifier: GPL-2.0
/*
 * Title: WARN_ON() and WARN_ON_ONCE() are swapped
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b;

	WARN_ON(a == 5);
	WARN_ON_ONCE(b == 6);

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
