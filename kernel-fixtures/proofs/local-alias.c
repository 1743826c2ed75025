// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local is loaded before a store through a pointer that may lead to it
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

u32 *choose(struct karg *k, u32 *n);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b = k->b, n = 0;
	u32 *p = choose(k, &n);
	*p = 5;
	a = n;

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
