// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a later store to something else in the range
 * Row: range-differs
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!access_ok(u, sizeof(*u)))	/* want: UA103 report range-differs 1 u rw */
		return -EFAULT;
	if (__get_user(a, &u->a))
		return -EFAULT;
	audit(k);
	return __put_user(a + 1, &u->b);
}
