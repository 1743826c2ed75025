// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper that opens a window is called in one
 * Rule: UW10
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw10_helper_opens_mark(u32 __user *flag)
{
	if (!user_write_access_begin(flag, sizeof(*flag)))
		return -EFAULT;
	unsafe_put_user(1U, flag, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw10_helper_opens(u32 __user *word, u32 __user *flag, u32 value)
{
	int ret = -EFAULT;

	if (!user_write_access_begin(word, sizeof(*word)))
		return ret;
	unsafe_put_user(value, word, out);
	ret = uw10_helper_opens_mark(flag);	/* want: UW10 */
out:
	user_write_access_end();
	return ret;
}

int uw10_helper_opens_clean(u32 __user *word, u32 __user *flag, u32 value)
{
	int ret = -EFAULT;

	if (!user_write_access_begin(word, sizeof(*word)))
		return ret;
	unsafe_put_user(value, word, out);
	ret = 0;
out:
	user_write_access_end();
	if (!ret)
		ret = uw10_helper_opens_mark(flag);
	return ret;
}
