// SPDX-License-Identifier: GPL-2.0
/*
 * Title: copies that check no range
 * Row: the check stays as it is
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 word;

	if (__copy_from_user(&word, &u->a, sizeof(word)))	/* want: UA201 rewrite safe 1 &u->a read */
		return -EFAULT;
	if (__copy_to_user(&u->b, &word, sizeof(word)))	/* want: UA201 rewrite safe 1 &u->b write */
		return -EFAULT;
	k->a = word;
	return 0;
}
