// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element before the start of the range
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_before_start {
	u32 magic;
	u32 length;
	u32 data[2];
};

int uw05_before_start(u32 __user *data, u32 length)
{
	if (!user_write_access_begin(data, 2 * sizeof(*data)))
		return -EFAULT;
	unsafe_put_user(0U, data, efault);
	unsafe_put_user(length, &data[-1], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_before_start_clean(u32 __user *data, u32 length)
{
	u32 __user *head = data - 1;

	if (!user_write_access_begin(head, 3 * sizeof(*head)))
		return -EFAULT;
	unsafe_put_user(0U, data, efault);
	unsafe_put_user(length, &data[-1], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
