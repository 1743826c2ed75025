// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() before a copy that checks its range
 * Row: needless check
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (unlikely(!access_ok(u->words, sizeof(k->words))))	/* want: UA103 rewrite prepared 1 u->words write */
		return -EFAULT;

	if (copy_to_user(u->words, k->words, sizeof(k->words)))
		return -EFAULT;
	return 0;
}
