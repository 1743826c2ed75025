// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a flag tells a helper whether the window is open, and its caller lacks the end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw02_helper_told_put(u32 __user *to, u32 value, bool open)
{
	if (!open)
		return put_user(value, to);
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw02_helper_told(u32 __user *to, u32 value)
{
	if (uw02_helper_told_put(to, 0, false) || !user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (uw02_helper_told_put(to, value, true))
		return -EFAULT;	/* want: UW02 */
	user_write_access_end();
	return 0;
}

int uw02_helper_told_clean(u32 __user *to, u32 value)
{
	int ret = uw02_helper_told_put(to, 0, false);

	if (ret || !user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	ret = uw02_helper_told_put(to, value, true);
	user_write_access_end();
	return ret;
}
