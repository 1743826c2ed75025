// SPDX-License-Identifier: GPL-2.0
/*
 * Title: each case of a switch accesses something
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 2 u read */
		return -EFAULT;
	switch (k->count) {
	case 2:
		unsafe_get_user(k->a, &u->a, efault);
		break;
	default:
		unsafe_get_user(k->b, &u->b, efault);
	}
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
