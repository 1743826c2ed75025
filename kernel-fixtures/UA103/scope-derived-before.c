// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer derived from that of the window, before it
 * Row: pointer-derived
 * Twin: scope-derived
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *pos = &u->pos;

	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report pointer-derived 2 u write */
		return -EFAULT;
	unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &pos->x, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
