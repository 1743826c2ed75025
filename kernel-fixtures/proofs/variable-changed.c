// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in a writable table passed to another function changes
 * Verdict: not proven
 * Unproven: wrong, but runs do not follow the callee
 */
#include <fixture/arguments.h>
#include <linux/random.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static u32 table[4] = { 1, 2, 3, 4 };

	add_device_randomness(table, sizeof(table));

	if (put_user(k->a, &u->a) ||
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
