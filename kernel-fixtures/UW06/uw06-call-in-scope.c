// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call inside a scope
 * Rule: UW06
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

extern u32 uw06_call_in_scope_next(void);

int uw06_call_in_scope(u32 __user *to)
{
	scoped_user_write_access(to, efault) {
		u32 value = uw06_call_in_scope_next();	/* want: UW06 */

		unsafe_put_user(value, to, efault);
	}
	return 0;
efault:
	return -EFAULT;
}

int uw06_call_in_scope_clean(u32 __user *to)
{
	u32 value = uw06_call_in_scope_next();

	scoped_user_write_access(to, efault)
		unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}
