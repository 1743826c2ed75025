// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the end comes after the branch that a failed begin skips
 * Rule: UW01, UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw01_end_after_the_branch(u32 __user *to, u32 count, const u32 *from)
{
	int ret = -EFAULT;
	u32 i;

	if (user_write_access_begin(to, count * sizeof(*to))) {	/* want: UW01 */
		for (i = 0; i < count; i++)
			unsafe_put_user(from[i], to + i, out);
		ret = 0;
	}
out:
	user_write_access_end();	/* want: UW02 */
	return ret;
}

int uw01_end_after_the_branch_clean(u32 __user *to, u32 count, const u32 *from)
{
	int ret = -EFAULT;
	u32 i;

	if (user_write_access_begin(to, count * sizeof(*to))) {
		for (i = 0; i < count; i++)
			unsafe_put_user(from[i], to + i, out);
		ret = 0;
out:
		user_write_access_end();
	}
	return ret;
}
