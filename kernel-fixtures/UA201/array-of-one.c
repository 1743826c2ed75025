// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of one byte that was one for the sake of the copy
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 byte[1];

	if (copy_from_user(byte, &u->b0, 1))	/* want: UA201 rewrite manual 1 &u->b0 read */
		return -EFAULT;
	k->b0 = byte[0];
	return 0;
}
