// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window for both directions that reads and writes
 * Row: wide window, twin
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 2 u rw */
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
	user_access_end();
	return 0;

efault:
	user_access_end();
	return -EFAULT;
}
