// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result of a begin is an argument of the helper that tests it
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw02_result_given_put(bool open, u32 __user *to, u32 value)
{
	if (!open)
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	return -EFAULT;
}

int uw02_result_given(u32 __user *to, u32 value)
{
	return uw02_result_given_put(user_write_access_begin(to, sizeof(*to)), to, value);	/* want[objtool, objects]: UW02 */
}

static __always_inline int uw02_result_given_put_clean(bool open, u32 __user *to, u32 value)
{
	int ret = -EFAULT;

	if (!open)
		return ret;
	unsafe_put_user(value, to, efault);
	ret = 0;
efault:
	user_write_access_end();
	return ret;
}

int uw02_result_given_clean(u32 __user *to, u32 value)
{
	return uw02_result_given_put_clean(user_write_access_begin(to, sizeof(*to)), to, value);
}
