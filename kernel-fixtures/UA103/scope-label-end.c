// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label named for the end, which the scope makes itself
 * Row: early end
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite manual 2 u write */
		return -EFAULT;
	switch (k->count) {
	case 1:
		unsafe_put_user(k->a, &u->a, ua_end);
		break;
	case 2:
		unsafe_put_user(k->b, &u->b, ua_end);
		break;
	default:
		user_write_access_end();
		return -EINVAL;
	}
	user_write_access_end();
	return 0;

ua_end:
	user_write_access_end();
	return -EFAULT;
}
