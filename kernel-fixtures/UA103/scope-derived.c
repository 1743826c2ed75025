// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer of the window is derived from another, as in filldir()
 * Row: decision: another pointer
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *word = &u->words[k->index & 1], *first = word - (k->index & 1);

	if (!user_write_access_begin(first, 2 * sizeof(*first)))	/* want scoped: UA103 rewrite manual 2 first write */
		return -EFAULT;
	unsafe_put_user(k->a, first, efault);
	unsafe_put_user(k->b, word, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
