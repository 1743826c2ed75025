// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a comment beside the check that would be lost
 * Row: other-form
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!access_ok(u, sizeof(*u)))	/* want: UA103 report other-form 1 u read */
		return -EFAULT;	/* as POSIX asks for */
	if (__get_user(a, &u->a))
		return -EFAULT;
	k->a = a;
	return 0;
}
