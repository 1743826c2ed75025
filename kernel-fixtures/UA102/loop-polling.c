// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one word is read until it changes
 * Row: a volatile user word polled on purpose
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int i = 0;
	u32 a;

	do {
		if (get_user(a, &u->a))	/* want: UA102 report double-fetch - u read */
			return -EFAULT;
	} while (a != k->a && ++i < 4);

	return i;
}
