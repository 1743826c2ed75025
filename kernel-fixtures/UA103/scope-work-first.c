// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory is written before the first access
 * Row: decision: work
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite manual 1 u read */
		return -EFAULT;
	k->total = 1;
	unsafe_get_user(k->a, &u->a, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
