// SPDX-License-Identifier: GPL-2.0
/*
 * Title: get_user() loads into shared memory
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a) ||
	    get_user(k->b, &u->b))
		return -EFAULT;

	k->total = k->a + k->b;
	return 0;
}
