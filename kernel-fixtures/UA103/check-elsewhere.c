// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is passed on
 * Row: pointer-elsewhere
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static int stored(struct uarg __user *u, u32 value)
{
	return __put_user(value, &u->b);
}

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!access_ok(u, sizeof(*u)))	/* want: UA103 report pointer-elsewhere 1 u read */
		return -EFAULT;
	if (__get_user(a, &u->a))
		return -EFAULT;
	k->a = a;
	return stored(u, k->b);
}
