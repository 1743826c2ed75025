// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first byte of an array that has two
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 bytes[2] = { 0, 1 };

	if (copy_from_user(bytes, &u->b0, 1))	/* want: UA201 rewrite safe 1 &u->b0 read */
		return -EFAULT;
	k->b0 = bytes[bytes[1] & 1];
	return 0;
}
