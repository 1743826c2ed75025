// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a begin whose window is its branch, as in read_mem_aligned()
 * Row: other-form
 * Twin: scope-writes
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = 0;

	if (user_write_access_begin(u, sizeof(*u))) {	/* want scoped: UA103 report other-form 1 u write */
		unsafe_put_user(k->a, &u->a, efault);
		user_write_access_end();
	} else {
		k->total = 1;
		ret = -EFAULT;
	}
	return ret;

efault:
	user_write_access_end();
	return -EFAULT;
}
