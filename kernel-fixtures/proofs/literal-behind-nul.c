// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a string literal differs after its first NUL
 * Verdict: not proven
 * Unproven: wrong, but runs do not follow the callee
 */
#include <fixture/arguments.h>
#include <linux/random.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	add_device_randomness("ab\0cd", 6);

	if (put_user(k->a, &u->a) ||
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
