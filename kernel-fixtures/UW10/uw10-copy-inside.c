// SPDX-License-Identifier: GPL-2.0
/*
 * Title: copy_from_user() in a loop inside a window
 * Rule: UW10
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw10_copy_inside(u32 __user *to, const u32 __user *from, unsigned int count)
{
	u32 value;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	while (count--) {
		if (copy_from_user(&value, from, sizeof(value)))	/* want: UW10 */
			goto efault;
		unsafe_put_user(value, to, efault);
		from++;
		to++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw10_copy_inside_clean(u32 __user *to, const u32 __user *from, unsigned int count)
{
	u32 value;

	while (count--) {
		if (copy_from_user(&value, from, sizeof(value)))
			return -EFAULT;
		if (!user_write_access_begin(to, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(value, to, efault);
		user_write_access_end();
		from++;
		to++;
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
