// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is returned early calls a function, after the end
 * Row: other-form
 * Twin: scope-early-end
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report other-form 2 u write */
		return -EFAULT;
	unsafe_put_user(k->a, &u->a, efault);
	if (k->flag) {
		user_write_access_end();
		return put_user(k->c, &u->c);
	}
	unsafe_put_user(k->b, &u->b, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
