// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same byte is copied
 * Verdict: proven
 */
#include <linux/uaccess.h>

int subject(void __user *to, int value)
{
	u8 byte = value;

	return copy_to_user(to, &byte, sizeof(byte)) ? -EFAULT : 0;
}
