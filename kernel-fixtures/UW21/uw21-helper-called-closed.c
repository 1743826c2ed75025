// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper for its caller's window is called by a function without one
 * Rule: UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw21_helper_called_closed_store(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);	/* want: UW21 */
	return 0;
efault:
	return -EFAULT;
}

static __always_inline int uw21_helper_called_closed_store_clean(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw21_helper_called_closed(u32 __user *to, u32 value)
{
	if (!access_ok(to, sizeof(*to)))
		return -EFAULT;
	return uw21_helper_called_closed_store(to, value);
}

int uw21_helper_called_closed_clean(u32 __user *to, u32 value)
{
	int ret;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	ret = uw21_helper_called_closed_store_clean(to, value);
	user_write_access_end();
	return ret;
}
