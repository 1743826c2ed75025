// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope in place of the masked begin, and an access under a condition
 * Row: scope of a masked begin
 * Twin: scope-skipped
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (can_do_masked_user_access())
		u = masked_user_access_begin(u);
	else if (!user_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 2 u rw */
		return -EFAULT;
	if (k->flag) {
		unsafe_get_user(k->a, &u->a, efault);
		unsafe_put_user(k->b, &u->b, efault);
	}
	user_access_end();
	return 0;

efault:
	user_access_end();
	return -EFAULT;
}
