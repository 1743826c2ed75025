// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a path ends the window early and returns, as in arch_futex_atomic_op_inuser()
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
		unsafe_put_user(k->a, &u->a, efault);
		break;
	case 2:
		unsafe_put_user(k->b, &u->b, efault);
		break;
	default:
		user_write_access_end();
		return -EINVAL;
	}
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
