// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the only access is under a condition
 * Row: decision: no access
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite manual 1 u write */
		return -EFAULT;
	if (k->flag)
		unsafe_put_user(k->a, &u->a, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
