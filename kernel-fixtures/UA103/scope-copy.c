// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy of constant size
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *to = u->words;

	if (!user_write_access_begin(to, sizeof(u->words)))	/* want scoped: UA103 rewrite safe 1 to write */
		return -EFAULT;
	unsafe_copy_to_user(to, k->words, sizeof(u->words), efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
