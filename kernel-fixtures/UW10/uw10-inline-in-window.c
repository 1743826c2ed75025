// SPDX-License-Identifier: GPL-2.0
/*
 * Title: put_user_inline() in a classic window
 * Rule: UW10
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw10_inline_in_window(u32 __user *word, u32 __user *flag)
{
	u32 value;

	if (!user_access_begin(word, sizeof(*word)))
		return -EFAULT;
	unsafe_get_user(value, word, efault);
	if (put_user_inline(1U, flag))	/* want: UW10 */
		goto efault;
	unsafe_put_user(value + 1, word, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw10_inline_in_window_clean(u32 __user *word, u32 __user *flag)
{
	u32 value;

	if (put_user_inline(1U, flag))
		return -EFAULT;
	if (!user_access_begin(word, sizeof(*word)))
		return -EFAULT;
	unsafe_get_user(value, word, efault);
	unsafe_put_user(value + 1, word, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
