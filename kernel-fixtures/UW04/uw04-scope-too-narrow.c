// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store in a read scope
 * Rule: UW04
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw04_scope_too_narrow(u32 __user *word, u32 add)
{
	u32 value;

	scoped_user_read_access(word, efault) {
		unsafe_get_user(value, word, efault);
		unsafe_put_user(value + add, word, efault);	/* want: UW04 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw04_scope_too_narrow_clean(u32 __user *word, u32 add)
{
	u32 value;

	scoped_user_rw_access(word, efault) {
		unsafe_get_user(value, word, efault);
		unsafe_put_user(value + add, word, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
