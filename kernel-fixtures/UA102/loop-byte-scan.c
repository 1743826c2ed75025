// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a write() of a byte or two is searched for a certain one
 * Row: a byte in each round
 * Shape: F
 * Twin: loop-count
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const u8 __user *buf = &u->b0;
	unsigned int i;

	k->total = 0;
	for (i = 0; i != 2; i++) {
		u8 c;

		if (get_user(c, buf + i))
			return -EFAULT;
		if (c == 'V')
			k->total = 42;
	}

	return 0;
}
