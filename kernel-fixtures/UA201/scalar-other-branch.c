// SPDX-License-Identifier: GPL-2.0
/*
 * Title: where the other branch accesses, this one copies for a reason
 * Row: conditional code
 * Twin: scalar-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 word;

#ifdef CONFIG_64BIT
	if (get_user(word, &u->a))
		return -EFAULT;
#else
	if (copy_from_user(&word, &u->a, sizeof(word)))	/* want: UA201 report ifdef 1 &u->a read */
		return -EFAULT;
#endif
	k->a = word;
	return 0;
}
