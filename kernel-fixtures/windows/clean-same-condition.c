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
