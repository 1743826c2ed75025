// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an access after the closing brace of its scope
 * Rule: UW21
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw21_behind_scope(u32 __user *to, u32 first, u32 second)
{
	scoped_user_write_access_size(to, 2 * sizeof(*to), efault)
		unsafe_put_user(first, to, efault);
	unsafe_put_user(second, to + 1, efault);	/* want: UW21 */
	return 0;
efault:
	return -EFAULT;
}

int uw21_behind_scope_clean(u32 __user *to, u32 first, u32 second)
{
	scoped_user_write_access_size(to, 2 * sizeof(*to), efault) {
		unsafe_put_user(first, to, efault);
		unsafe_put_user(second, to + 1, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
