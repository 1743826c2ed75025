// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two fault labels
 * Row: exit-differs
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report exit-differs 2 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, efault);
	unsafe_get_user(k->b, &u->b, einval);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
einval:
	user_read_access_end();
	return -EINVAL;
}
