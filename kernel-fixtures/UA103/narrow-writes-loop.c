// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop of stores in a window for both directions
 * Row: wide window
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	if (!user_access_begin(u, sizeof(*u)))	/* want classic: UA103 rewrite safe 1 u write */ /* want masked: UA103 rewrite manual 1 u write */ /* want scoped: UA103 rewrite prepared 1 u write */
		return -EFAULT;
	for (i = 0; i < 8; i++)
		unsafe_put_user(k->words[i], &u->words[i], efault);
	user_access_end();
	return 0;

efault:
	user_access_end();
	return -EFAULT;
}
