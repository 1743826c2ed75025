// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope of a void pointer without a size
 * Rule: UW05
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_scoped_void(void __user *arg, u32 *value)
{
	scoped_user_read_access(arg, efault)
		unsafe_get_user(*value, (u32 __user *)arg, efault);	/* want: UW05 */
	return 0;
efault:
	return -EFAULT;
}

int uw05_scoped_void_clean(void __user *arg, u32 *value)
{
	scoped_user_read_access_size(arg, sizeof(u32), efault)
		unsafe_get_user(*value, (u32 __user *)arg, efault);
	return 0;
efault:
	return -EFAULT;
}
