// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an explicit end inside a scope
 * Rule: UW02
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_end_in_scope(u32 __user *to, u32 first, u32 second)
{
	scoped_user_write_access_size(to, 2 * sizeof(*to), efault) {	/* want[objtool, objects]: UW02 */
		unsafe_put_user(first, to, efault);
		if (!second) {
			user_write_access_end();	/* want[spatch, smatch]: UW02 */
			return 0;
		}
		unsafe_put_user(second, to + 1, efault);
	}
	return 0;
efault:
	return -EFAULT;
}

int uw02_end_in_scope_clean(u32 __user *to, u32 first, u32 second)
{
	scoped_user_write_access_size(to, 2 * sizeof(*to), efault) {
		unsafe_put_user(first, to, efault);
		if (!second)
			return 0;
		unsafe_put_user(second, to + 1, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
