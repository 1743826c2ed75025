// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a later access does not check its range
 * Row: decision: relied on
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite manual 1 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, efault);
	user_read_access_end();
	k->total++;
	return __put_user(k->total, &u->b);

efault:
	user_read_access_end();
	return -EFAULT;
}
