// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first byte of a wider variable is copied
 * Verdict: not proven
 * Says: which bytes of another type
 */
#include <linux/uaccess.h>

int subject(void __user *to, int value)
{
	u8 byte = value;

	return copy_to_user(to, &byte, sizeof(byte)) ? -EFAULT : 0;
}
