// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an access under a condition, and one that is always made
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 2 u write */
		return -EFAULT;
	if (k->flag)
		unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
