// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label inside the window
 * Row: jumps-inside
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int tries = 2;

	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report jumps-inside 1 u read */
		return -EFAULT;
again:
	unsafe_get_user(k->a, &u->a, efault);
	if (!k->a && --tries)
		goto again;
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
