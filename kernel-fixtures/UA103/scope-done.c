// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label at the end that does not fault
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 2 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, efault);
	if (!k->a)
		goto done;
	unsafe_get_user(k->b, &u->b, efault);
done:
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
