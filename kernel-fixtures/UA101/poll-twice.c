// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a word another thread changes is read twice on purpose
 * Row: a volatile user word polled on purpose
 * Shape: A
 * Twin: chain-get-locals
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 first, second;

	if (get_user(first, &u->a) || get_user(second, &u->a))	/* want: UA101 report double-fetch 2 u read */
		return -EFAULT;

	k->flag = first == second;
	return 0;
}
