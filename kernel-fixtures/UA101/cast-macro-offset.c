// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bytes behind a name of fixed length, whose offsets are macros
 * Row: wide dst / narrow src, pointer cast
 * Shape: J
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define NAME_LENGTH 29

int subject(struct karg *k, struct uarg __user *u)
{
	char __user *p = (char __user *)u;

	if (put_user(k->b0, (u8 __user *)(p + NAME_LENGTH)) ||	/* want: UA101 report cast-pointer 2 p write */
	    put_user(k->a, (u32 __user *)(p + NAME_LENGTH + 1)))
		return -EFAULT;
	return 0;
}
