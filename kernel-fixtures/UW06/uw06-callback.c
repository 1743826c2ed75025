// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an inline helper calls in the window what its caller gives it
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw06_callback_walk(u32 __user *to, const u32 *from, int n,
					      int (*step)(u32 __user *, u32))
{
	int i, ret = 0;

	for (i = 0; i < n && !ret; i++)
		ret = step(to + i, from[i]);
	return ret;
}

int uw06_callback(u32 __user *to, const u32 *from, int n, int (*step)(u32 __user *, u32))
{
	int ret;

	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	ret = uw06_callback_walk(to, from, n, step);	/* want[objtool, objects]: UW06 */
	user_write_access_end();
	return ret;
}

static __always_inline int uw06_callback_put_clean(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw06_callback_clean(u32 __user *to, const u32 *from, int n)
{
	int ret;

	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	ret = uw06_callback_walk(to, from, n, uw06_callback_put_clean);
	user_write_access_end();
	return ret;
}
