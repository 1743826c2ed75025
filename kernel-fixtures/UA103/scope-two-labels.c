// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label that ends the window before that of the failed begin
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite safe 2 u write */
		goto efault;
	unsafe_put_user(k->a, &u->a, efault_end);
	unsafe_put_user(k->b, &u->b, efault_end);
	user_write_access_end();
	return 0;

efault_end:
	user_write_access_end();
efault:
	k->total = 0;
	return -EFAULT;
}
