// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast in the copy gives way to one to the type
 * Row: the pointer gets the type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 word;

	if (copy_from_user(&word, (void __user *)k->arg, sizeof(word)))	/* want: UA201 rewrite prepared 1 k->arg read */
		return -EFAULT;
	if (copy_to_user((u32 __user *)k->arg, &word, sizeof(word)))	/* want: UA201 rewrite safe 1 k->arg write */
		return -EFAULT;
	k->a = word;
	return 0;
}
