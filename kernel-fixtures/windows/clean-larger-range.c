// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a range far larger than what is accessed
 * Known: B07: lib/strnlen_user.c before ab10ae1c3bef; slow, and no access is outside
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

long clean_larger_range_clean(const char __user *text, long most)
{
	long length = 0;
	char c;

	if (!user_read_access_begin(text, most))
		return -EFAULT;
	do {
		unsafe_get_user(c, text + length, efault);
	} while (c && ++length < 32);
	user_read_access_end();
	return length;
efault:
	user_read_access_end();
	return -EFAULT;
}
