// SPDX-License-Identifier: GPL-2.0
/*
 * Title: eight bytes read in a scope, in a branch that 32-bit kernels take
 * Rule: UW19
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw19_scoped(u64 __user *word, bool set, u64 *value)
{
	scoped_user_rw_access(word, efault) {
		if (set)
			unsafe_put_user(*value, word, efault);
		else
			unsafe_get_user(*value, word, efault);	/* want: UW19 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw19_scoped_clean(u64 __user *word, bool set, u64 *value)
{
	scoped_user_rw_access(word, efault) {
		if (set)
			unsafe_put_user(*value, word, efault);
		else if (IS_ENABLED(CONFIG_64BIT))
			unsafe_get_user(*value, word, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
