// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer has no type: nothing promises its alignment
 * Row: alignment by type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *argp = &u->words[1];
	u32 word;

	if (copy_from_user(&word, argp, sizeof(word)))	/* want: UA201 rewrite prepared 1 argp read */
		return -EFAULT;
	k->a = word;
	return 0;
}
