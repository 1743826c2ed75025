// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a path without a window joins at the label that ends it
 * Rule: UW02
 * Known: e6a9522ac3ff, i915 execbuffer
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_end_without_window(u64 __user *to, const u64 __user *from, u64 limit)
{
	u64 value;

	if (get_user(value, from))
		goto efault;
	if (value > limit)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}

int uw02_end_without_window_clean(u64 __user *to, const u64 __user *from, u64 limit)
{
	u64 value;

	if (get_user(value, from))
		goto closed;
	if (value > limit)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
closed:
	return -EFAULT;
}
