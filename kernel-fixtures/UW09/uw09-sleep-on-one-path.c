// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one arm of a branch sleeps before the window is ended
 * Rule: UW09
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw09_sleep_on_one_path(const u32 __user *from, u32 *to, bool slow)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	if (slow)
		msleep(20);	/* want: UW09 */
	unsafe_get_user(*to, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw09_sleep_on_one_path_clean(const u32 __user *from, u32 *to, bool slow)
{
	if (slow)
		msleep(20);
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
