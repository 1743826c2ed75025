// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of void is 1
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_void_pointer(void __user *arg, u32 *value)
{
	if (user_read_access_begin(arg, sizeof(*arg))) {
		unsafe_get_user(*value, (u32 __user *)arg, efault);	/* want: UW05 */
		user_read_access_end();
		return 0;
efault:
		user_read_access_end();
	}
	return -EFAULT;
}

int uw05_void_pointer_clean(void __user *arg, u32 *value)
{
	if (user_read_access_begin(arg, sizeof(u32))) {
		unsafe_get_user(*value, (u32 __user *)arg, efault);
		user_read_access_end();
		return 0;
efault:
		user_read_access_end();
	}
	return -EFAULT;
}
