// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a failed begin and a fault return different errors
 * Row: exit-differs
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report exit-differs 1 u read */
		return -EINVAL;
	unsafe_get_user(k->a, &u->a, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
