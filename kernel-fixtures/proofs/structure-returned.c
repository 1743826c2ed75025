// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure that a function returns is made on the stack
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct several {
	u64 first, second, third;
};

struct several make(int n);

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	k->q0 = make(k->a).third;
	return 0;
}
