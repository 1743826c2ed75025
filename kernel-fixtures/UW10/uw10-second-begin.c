// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a second window is opened in the first
 * Rule: UW10
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw10_second_begin(u32 __user *to, const u32 __user *from)
{
	u32 value;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, from, efault_read);
	if (!user_write_access_begin(to, sizeof(*to)))	/* want: UW10 */
		goto efault_read;
	unsafe_put_user(value, to, efault_write);
	user_write_access_end();
	return 0;
efault_write:
	user_write_access_end();
	return -EFAULT;
efault_read:
	user_read_access_end();
	return -EFAULT;
}

int uw10_second_begin_clean(u32 __user *to, const u32 __user *from)
{
	u32 value;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, from, efault_read);
	user_read_access_end();
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault_write);
	user_write_access_end();
	return 0;
efault_write:
	user_write_access_end();
	return -EFAULT;
efault_read:
	user_read_access_end();
	return -EFAULT;
}
