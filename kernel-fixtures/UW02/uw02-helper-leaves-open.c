// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper returns with the window open, and one path of its caller lacks the end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline bool uw02_helper_leaves_open_open(unsigned long __user *at)
{
	if (!user_read_access_begin(at, 2 * sizeof(*at)))
		return false;
	return true;
}

int uw02_helper_leaves_open(unsigned long __user *at, unsigned long *low, unsigned long *high)
{
	if (!uw02_helper_leaves_open_open(at))
		return -EFAULT;
	unsafe_get_user(*low, at, efault);
	if (!*low)
		return 0;	/* want: UW02 */
	unsafe_get_user(*high, at + 1, efault);
	user_read_access_end();
	return 1;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw02_helper_leaves_open_clean(unsigned long __user *at, unsigned long *low, unsigned long *high)
{
	if (!uw02_helper_leaves_open_open(at))
		return -EFAULT;
	unsafe_get_user(*low, at, efault);
	if (!*low) {
		user_read_access_end();
		return 0;
	}
	unsafe_get_user(*high, at + 1, efault);
	user_read_access_end();
	return 1;
efault:
	user_read_access_end();
	return -EFAULT;
}
