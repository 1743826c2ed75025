// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the check and the access leave in the same way, but without -EFAULT
 * Row: other-form
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!access_ok(u, sizeof(*u)))	/* want: UA103 report other-form 1 u read */
		return -EINVAL;
	if (__get_user(a, &u->a))
		return -EINVAL;
	k->a = a;
	return 0;
}
