// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the window advances a copy that is used after it, as in gpr32_set_common_user()
 * Row: copied pointer
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *from = u->words;
	u32 __user *p = from;

	if (!user_read_access_begin(p, sizeof(u->words)))	/* want scoped: UA103 rewrite manual 2 p read */
		return -EFAULT;
	if (k->flag) {
		unsafe_get_user(k->a, p++, efault);
		unsafe_get_user(k->b, p++, efault);
	}
	user_read_access_end();
	k->total = p - u->words;
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
