// SPDX-License-Identifier: GPL-2.0
/*
 * Title: likely() around a begin that opens its own branch
 * Rule: UW18
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw18_likely_around_branch(const u32 __user *from, u32 *to)
{
	int ret = -EFAULT;

	if (likely(user_read_access_begin(from, sizeof(*from)))) {	/* want: UW18 */
		unsafe_get_user(*to, from, end);
		ret = 0;
end:
		user_read_access_end();
	}
	return ret;
}

int uw18_likely_around_branch_clean(const u32 __user *from, u32 *to)
{
	int ret = -EFAULT;

	if (user_read_access_begin(from, sizeof(*from))) {
		unsafe_get_user(*to, from, end);
		ret = 0;
end:
		user_read_access_end();
	}
	return likely(!ret) ? 0 : ret;
}
