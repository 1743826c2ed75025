// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an index that does not count up from 0
 * Row: index-jumps
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report index-jumps 1 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &u->words[k->index], efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
