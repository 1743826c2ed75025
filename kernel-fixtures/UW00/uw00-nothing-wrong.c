// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a comment that allows what is no longer there
 * Rule: UW00
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw00_nothing_wrong(u32 __user *to, u32 value)
{
	/* hotcocci: allow UW18 - never profiled */	/* want: UW00 */
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw00_nothing_wrong_clean(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
