// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop that may make no iteration, as in do_sys_poll()
 * Row: decision: no access
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite manual 1 u write */
		return -EFAULT;
	for (i = 0; i < k->count; i++)
		unsafe_put_user(k->words[i], &u->words[i], efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
