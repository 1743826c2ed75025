// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy of the pointer with another type, in a loop
 * Rule: UW14
 * Known: B29: futex samples of the scoped access series
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw14_copied_before(void __user *to, const u32 *values)
{
	u32 __user *words = to;
	int i;

	scoped_user_write_access_size(to, 4 * sizeof(u32), efault) {
		for (i = 0; i < 4; i++)
			unsafe_put_user(values[i], &words[i], efault);	/* want: UW14 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw14_copied_before_clean(void __user *to, const u32 *values)
{
	int i;

	scoped_user_write_access_size(to, 4 * sizeof(u32), efault) {
		u32 __user *words = to;

		for (i = 0; i < 4; i++)
			unsafe_put_user(values[i], &words[i], efault);
	}
	return 0;
efault:
	return -EFAULT;
}
