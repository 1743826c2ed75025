// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a wide window that may access nothing is narrowed where a person would have to decide on a scope
 * Row: wide window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_access_begin(u, sizeof(*u)))	/* want classic: UA103 rewrite safe 1 u write */ /* want masked: UA103 rewrite manual 1 u write */ /* want scoped: UA103 rewrite manual 1 u write */
		return -EFAULT;
	if (k->flag)
		unsafe_put_user(k->a, &u->a, efault);
	user_access_end();
	return 0;

efault:
	user_access_end();
	return -EFAULT;
}
