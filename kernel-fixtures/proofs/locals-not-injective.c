// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one local is passed twice instead of two
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

void pair(u32 *x, u32 *y);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 x = 0, y = 0, a = k->a, b;
	pair(&x, &y);
	b = y;

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
