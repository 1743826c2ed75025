// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read differs from its place by the sign alone
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	s32 word;

	if (copy_from_user(&word, &u->a, sizeof(word)))	/* want: UA201 rewrite safe 1 &u->a read */
		return -EFAULT;
	k->s0 = word;
	return 0;
}
