// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result of a helper that opens a window is compared with one of its errors
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int clean_helper_compared_open(u32 __user *to, bool wanted)
{
	if (!wanted)
		return -EAGAIN;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EAGAIN;
	return 0;
}

int clean_helper_compared(u32 __user *to, u32 value, bool wanted)
{
	if (clean_helper_compared_open(to, wanted) == -EWOULDBLOCK)
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
