// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the condition that opened the window ends it
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int clean_same_condition(u32 __user *to, u32 value, u32 __user *extra)
{
	int ret = -EFAULT;

	if (extra) {
		if (!user_write_access_begin(extra, sizeof(*extra)))
			return ret;
		unsafe_put_user(value, extra, out);
	}
	ret = 0;
out:
	if (extra)
		user_write_access_end();
	if (ret)
		return ret;
	return put_user(value, to);
}

int clean_same_condition_returned(u32 __user *at, u32 *value, int mode)
{
	int ret = -EFAULT;

	if (mode != 1)
		return -EINVAL;
	if (!user_read_access_begin(at, sizeof(*at)))
		return ret;
	unsafe_get_user(*value, at, out);
	ret = 0;
out:
	if (mode == 1)
		user_read_access_end();
	return ret;
}
