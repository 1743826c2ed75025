// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer that the window advances is used after it
 * Row: used-after
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *from = u->words;

	if (!user_read_access_begin(from, sizeof(u->words)))	/* want scoped: UA103 report used-after 2 from read */
		return -EFAULT;
	unsafe_get_user(k->a, from++, efault);
	unsafe_get_user(k->b, from++, efault);
	user_read_access_end();
	return get_user(k->c, from);

efault:
	user_read_access_end();
	return -EFAULT;
}
