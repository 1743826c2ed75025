// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an indirect tail call, unchanged
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct hook {
	int (*done)(struct karg *k, int state, u64 number);
};

int subject(struct karg *k, struct uarg __user *u)
{
	const struct hook *hook = (const void *)k->l0;

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	return hook->done(k, k->s0, k->q1);
}
