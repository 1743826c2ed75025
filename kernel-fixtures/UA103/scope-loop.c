// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop of constant bounds
 * Row: classic window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite prepared 1 u write */
		return -EFAULT;
	for (i = 0; i < 4; i++)
		unsafe_put_user(k->words[i], &u->words[i], efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
