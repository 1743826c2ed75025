// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy that may be of no bytes
 * Row: decision: no access
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *to = u->words;

	if (k->count)
		check_object_size(k->words, k->count * sizeof(*to), true);
	if (!user_write_access_begin(to, k->count * sizeof(*to)))	/* want scoped: UA103 rewrite manual 1 to write */
		return -EFAULT;
	unsafe_copy_to_user(to, k->words, k->count * sizeof(*to), efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
