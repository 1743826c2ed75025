// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a range check fails for bytes that are none, the copy of them does not
 * Row: maybe-empty
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(u->words, k->c & 31))	/* want: UA103 report maybe-empty 1 u->words write */
		return -EFAULT;

	if (copy_to_user(u->words, k->words, k->c & 31))
		return -EFAULT;
	return 0;
}
