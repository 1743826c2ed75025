// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope whose first access is before its pointer
 * Rule: UW05, UW15
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw15_before_start(u64 __user *data, u64 length)
{
	scoped_user_write_access(data, efault) {
		unsafe_put_user(length, data - 1, efault);	/* want: UW05, UW15 */
		unsafe_put_user(0ULL, data, efault);
	}
	return 0;
efault:
	return -EFAULT;
}

int uw15_before_start_clean(u64 __user *data, u64 length)
{
	u64 __user *head = data - 1;

	scoped_user_write_access_size(head, 2 * sizeof(*head), efault) {
		unsafe_put_user(length, head, efault);
		unsafe_put_user(0ULL, head + 1, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
