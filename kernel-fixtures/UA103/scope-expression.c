// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is an expression
 * Row: pointer-not-name
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(k->user, sizeof(*k->user)))	/* want scoped: UA103 report pointer-not-name 1 k->user read */
		return -EFAULT;
	unsafe_get_user(k->a, &k->user->a, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
