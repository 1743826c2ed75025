// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a classic window of stores
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite safe 3 u write */
		return -EFAULT;

	unsafe_put_user(k->a, &u->a, efault);
	/* the low word first */
	unsafe_put_user(k->b, &u->b, efault);
	unsafe_put_user(k->c, &u->c, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
