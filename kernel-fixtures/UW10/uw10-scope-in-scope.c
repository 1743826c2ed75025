// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope in a scope
 * Rule: UW10
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw10_scope_in_scope(u32 __user *to, const u32 __user *from)
{
	u32 value;

	scoped_user_read_access(from, efault) {
		unsafe_get_user(value, from, efault);
		scoped_user_write_access(to, efault)	/* want: UW10 */
			unsafe_put_user(value, to, efault);
	}
	return 0;
efault:
	return -EFAULT;
}

int uw10_scope_in_scope_clean(u32 __user *to, const u32 __user *from)
{
	u32 value;

	scoped_user_read_access(from, efault)
		unsafe_get_user(value, from, efault);
	scoped_user_write_access(to, efault)
		unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}
