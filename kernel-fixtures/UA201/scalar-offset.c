// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is computed
 * Row: the pointer gets the type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *buffer = u;
	u32 word;

	if (copy_from_user(&word, buffer + 4, sizeof(word)))	/* want: UA201 report untyped-sum 1 - read */
		return -EFAULT;
	if (copy_to_user(u->words + 2, &word, sizeof(word)))	/* want: UA201 rewrite safe 1 - write */
		return -EFAULT;
	k->a = word;
	return 0;
}
