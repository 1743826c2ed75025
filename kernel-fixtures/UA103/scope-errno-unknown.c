// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault sets another errno than a failed begin
 * Row: exit-differs
 * Twin: scope-errno-known
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = -EFAULT;

	if (k->flag)
		err = -EINVAL;
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report exit-differs 2 u write */
		goto out;
	unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
	user_write_access_end();
	err = 0;
out:
	k->total = err;
	return err;

efault:
	user_write_access_end();
	err = -EFAULT;
	goto out;
}
