// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window for both directions that only reads
 * Row: wide window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_access_begin(u, sizeof(*u)))	/* want classic: UA103 rewrite safe 3 u read */ /* want masked: UA103 rewrite manual 3 u read */ /* want scoped: UA103 rewrite prepared 3 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, efault);
	unsafe_get_user(k->b, &u->b, efault);
	unsafe_get_user(k->c, &u->c, efault);
	user_access_end();
	return 0;

efault:
	user_access_end();
	return -EFAULT;
}
