// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope without debug hooks
 * Rule: UW24
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw24_scope(const u32 __user *from, u32 *to)
{
	scoped_user_read_access(from, efault)	/* want: UW24 */
		unsafe_get_user(*to, from, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw24_scope_clean(const u32 __user *from, u32 *to)
{
	might_fault();
	scoped_user_read_access(from, efault)
		unsafe_get_user(*to, from, efault);
	return 0;
efault:
	return -EFAULT;
}
