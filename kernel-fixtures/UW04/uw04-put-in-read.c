// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store in a read window
 * Rule: UW04
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw04_put_in_read {
	int id;
	int flags;
};

int uw04_put_in_read(struct uw04_put_in_read __user *at, int *id, int flags)
{
	if (!user_read_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(*id, &at->id, efault);
	unsafe_put_user(flags, &at->flags, efault);	/* want: UW04 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw04_put_in_read_clean(struct uw04_put_in_read __user *at, int *id, int flags)
{
	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(*id, &at->id, efault);
	unsafe_put_user(flags, &at->flags, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
