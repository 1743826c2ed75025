// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store to a local is dropped that a callee kept a const pointer to
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int wait(struct karg *k);

void reg_name(struct karg *k, const u32 *p);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b, n = 1;
	reg_name(k, &n);
	n = a;
	wait(k);

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
