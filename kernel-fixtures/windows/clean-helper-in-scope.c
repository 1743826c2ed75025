// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper in a scope that is left by return
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int clean_helper_in_scope_put(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int clean_helper_in_scope(u32 __user *to, u32 value)
{
	scoped_user_write_access(to, efault) {
		if (value > 100)
			return -EINVAL;
		return clean_helper_in_scope_put(to, value);
	}
	return 0;
efault:
	return -EFAULT;
}
