// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window without the might_fault() of put_user()
 * Rule: UW24
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw24_begin(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))	/* want: UW24 */
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw24_begin_clean(u32 __user *to, u32 value)
{
	might_fault();
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
