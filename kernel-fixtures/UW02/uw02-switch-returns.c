// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one arm of a switch returns with the window open
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_switch_returns(void __user *to, int width, unsigned int value)
{
	if (!user_write_access_begin(to, width))
		return -EFAULT;
	switch (width) {
	case 1:
		unsafe_put_user(value, (u8 __user *)to, efault);
		break;
	case 2:
		unsafe_put_user(value, (u16 __user *)to, efault);
		break;
	case 4:
		unsafe_put_user(value, (u32 __user *)to, efault);
		break;
	default:
		return -EINVAL;	/* want: UW02 */
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_switch_returns_clean(void __user *to, int width, unsigned int value)
{
	int ret = 0;

	if (!user_write_access_begin(to, width))
		return -EFAULT;
	switch (width) {
	case 1:
		unsafe_put_user(value, (u8 __user *)to, efault);
		break;
	case 2:
		unsafe_put_user(value, (u16 __user *)to, efault);
		break;
	case 4:
		unsafe_put_user(value, (u32 __user *)to, efault);
		break;
	default:
		ret = -EINVAL;
	}
	user_write_access_end();
	return ret;
efault:
	user_write_access_end();
	return -EFAULT;
}
