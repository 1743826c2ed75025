// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/uaccess.h>

int clears(u32 *seen, u32 n, const u32 __user *from)
{
	u32 i, value;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		seen[i] = 0;
	unsafe_get_user(value, from, efault);
	user_read_access_end();
	return value;
efault:
	user_read_access_end();
	return -EFAULT;
}

int clears_few(u32 *seen, u32 n, const u32 __user *from)
{
	u32 i, value;

	for (i = 0; i < n; i++)
		seen[i] = 0;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < 2; i++)
		seen[i] = 0;
	unsafe_get_user(value, from, efault);
	user_read_access_end();
	return value;
efault:
	user_read_access_end();
	return -EFAULT;
}
