// SPDX-License-Identifier: GPL-2.0
/*
 * Title: get_user() in an open window
 * Rule: UW10
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw10_get_user_inside {
	int id;
	int flags;
};

int uw10_get_user_inside(struct uw10_get_user_inside __user *at, int *id, int flags)
{
	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_put_user(flags, &at->flags, efault);
	if (get_user(*id, &at->id))	/* want: UW10 */
		goto efault;
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw10_get_user_inside_clean(struct uw10_get_user_inside __user *at, int *id, int flags)
{
	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_put_user(flags, &at->flags, efault);
	unsafe_get_user(*id, &at->id, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
