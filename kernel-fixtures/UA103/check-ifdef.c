// SPDX-License-Identifier: GPL-2.0
/*
 * Title: some configurations lack the check
 * Row: ifdef
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

#ifndef CONFIG_TINY
	if (!access_ok(u, sizeof(*u)))	/* want: UA103 report ifdef 1 u read */
		return -EFAULT;
#endif
	if (__get_user(a, &u->a))
		return -EFAULT;
	k->a = a;
	return 0;
}
