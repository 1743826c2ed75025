// SPDX-License-Identifier: GPL-2.0
/*
 * Title: work between the check and the access
 * Row: check-not-first
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!access_ok(u, sizeof(*u)))	/* want: UA103 report check-not-first 1 u read */
		return -EFAULT;
	audit(k);
	if (__get_user(a, &u->a))
		return -EFAULT;
	k->a = a;
	return 0;
}
