// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper returns with the window open, and its value tells so
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int clean_helper_opens_open(unsigned long __user *at, bool wanted)
{
	if (!wanted)
		return -EPERM;
	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	return 0;
}

static __always_inline void clean_helper_opens_close(void)
{
	user_access_end();
}

int clean_helper_opens(unsigned long __user *at, bool wanted, unsigned long add)
{
	unsigned long value;
	int ret;

	ret = clean_helper_opens_open(at, wanted);
	if (ret)
		return ret;
	unsafe_get_user(value, at, efault);
	unsafe_put_user(value + add, at, efault);
	clean_helper_opens_close();
	return 0;
efault:
	clean_helper_opens_close();
	return -EFAULT;
}
