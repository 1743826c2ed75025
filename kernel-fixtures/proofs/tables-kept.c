// SPDX-License-Identifier: GPL-2.0
/*
 * Title: tables and literals passed to another function are unchanged
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/random.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static const char * const names[2] = { "one", "two" };
	static u32 table[4] = { 1, 2, 3, 4 };

	add_device_randomness(names, sizeof(names));
	add_device_randomness(table, sizeof(table));
	add_device_randomness("ab\0cd", 6);

	if (put_user(k->a, &u->a) ||
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
