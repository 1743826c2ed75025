// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() and one __get_user()
 * Row: needless check
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!access_ok(u, sizeof(*u)))	/* want: UA103 rewrite prepared 1 u read */
		return -EFAULT;
	if (__get_user(a, &u->a))
		return -EFAULT;

	k->a = a;
	return 0;
}
