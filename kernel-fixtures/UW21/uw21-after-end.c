// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one more access after the end
 * Rule: UW21, UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw21_after_end {
	int id;
	int flags;
};

int uw21_after_end(struct uw21_after_end __user *to, int id, int flags)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	user_write_access_end();
	if (flags)
		unsafe_put_user(flags, &to->flags, efault_closed);	/* want: UW21 */
	return 0;
efault:
	user_write_access_end();
efault_closed:
	return -EFAULT;
}

int uw21_after_end_clean(struct uw21_after_end __user *to, int id, int flags)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	if (flags)
		unsafe_put_user(flags, &to->flags, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
