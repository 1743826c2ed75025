// SPDX-License-Identifier: GPL-2.0
/*
 * Title: accesses, and no window anywhere
 * Rule: UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw21_no_window {
	int id;
	int flags;
};

int uw21_no_window(struct uw21_no_window __user *from, int *id, int *flags)
{
	if (!access_ok(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*id, &from->id, efault);	/* want: UW21 */
	unsafe_get_user(*flags, &from->flags, efault);	/* want: UW21 */
	return 0;
efault:
	return -EFAULT;
}

int uw21_no_window_clean(struct uw21_no_window __user *from, int *id, int *flags)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*id, &from->id, efault);
	unsafe_get_user(*flags, &from->flags, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
