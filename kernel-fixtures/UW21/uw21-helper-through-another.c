// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function without a window calls a helper for its caller's window through another one
 * Rule: UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw21_helper_through_another_put(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);	/* want: UW21 */
	return 0;
efault:
	return -EFAULT;
}

static __always_inline int uw21_helper_through_another_next(u32 __user *to, u32 value)
{
	return uw21_helper_through_another_put(to, value + 1);
}

int uw21_helper_through_another(u32 __user *to, u32 value)
{
	if (!value)
		return -EINVAL;
	return uw21_helper_through_another_next(to, value);
}

static __always_inline int uw21_helper_through_another_put_clean(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

static __always_inline int uw21_helper_through_another_next_clean(u32 __user *to, u32 value)
{
	return uw21_helper_through_another_put_clean(to, value + 1);
}

int uw21_helper_through_another_clean(u32 __user *to, u32 value)
{
	int ret;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	ret = uw21_helper_through_another_next_clean(to, value);
	user_write_access_end();
	return ret;
}
