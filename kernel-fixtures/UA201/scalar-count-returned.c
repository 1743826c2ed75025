// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left are handed on
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 word;

	if (k->flag)
		return copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 report count-used 1 &u->a write */
	if (copy_from_user(&word, &u->b, sizeof(word)))	/* want: UA201 rewrite safe 1 &u->b read */
		return -EFAULT;
	k->b = word;
	return 0;
}
