// SPDX-License-Identifier: GPL-2.0
/*
 * Title: some configurations lack a part of the window
 * Row: ifdef
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report ifdef 2 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, efault);
#ifndef CONFIG_TINY
	unsafe_get_user(k->b, &u->b, efault);
#endif
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
