// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a break out of a loop skips the end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_break_past_end(u32 __user *to, const u32 *from, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!user_write_access_begin(to + i, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(from[i], to + i, efault);
		if (!from[i])
			break;
		user_write_access_end();
	}
	return i;	/* want: UW02 */
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_break_past_end_clean(u32 __user *to, const u32 *from, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!user_write_access_begin(to + i, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(from[i], to + i, efault);
		user_write_access_end();
		if (!from[i])
			break;
	}
	return i;
efault:
	user_write_access_end();
	return -EFAULT;
}
