// SPDX-License-Identifier: GPL-2.0
/*
 * Title: braces around an early end and a return are not needed without the end
 * Row: early end
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 2 u read */
		return -EFAULT;
	unsafe_get_user(a, &u->a, efault);
	if (a > 3) {
		user_read_access_end();
		return -EINVAL;
	}
	unsafe_get_user(b, &u->b, efault);
	user_read_access_end();
	k->a = a;
	k->b = b;
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
