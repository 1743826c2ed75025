// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a string in a table passed to another function changes
 * Verdict: not proven
 * Unproven: wrong, but runs do not follow the callee
 */
#include <fixture/arguments.h>
#include <linux/random.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static const char * const names[2] = { "one", "two" };

	add_device_randomness(names, sizeof(names));

	if (put_user(k->a, &u->a) ||
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
