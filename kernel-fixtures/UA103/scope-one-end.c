// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one end for success and fault, as in copy_iovec_from_user()
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = -EFAULT;

	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 2 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, uaccess_end);
	if (k->a == 1) {
		ret = -EINVAL;
		goto uaccess_end;
	}
	unsafe_get_user(k->b, &u->b, uaccess_end);
	ret = 0;
uaccess_end:
	user_read_access_end();
	return ret;
}
