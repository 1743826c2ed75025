// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one byte of a buffer of bytes
 * Row: the pointer gets the type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 __user *to = &u->b0;
	u8 byte;

	if (copy_from_user(&byte, to, sizeof(byte)))	/* want: UA201 rewrite safe 1 to read */
		return -EFAULT;
	k->a = byte;
	return 0;
}
