// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure that is an argument is made on the stack
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct several {
	u64 first, second, third;
};

void take(struct several several);

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	take((struct several){ k->q0, k->q1, k->a });
	return 0;
}
