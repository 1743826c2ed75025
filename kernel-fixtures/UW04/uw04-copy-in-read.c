// SPDX-License-Identifier: GPL-2.0
/*
 * Title: unsafe_copy_to_user() in a read window
 * Rule: UW04
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw04_copy_in_read(void __user *to, const void *from, size_t size)
{
	check_object_size(from, size, true);
	if (!user_read_access_begin(to, size))
		return -EFAULT;
	unsafe_copy_to_user(to, from, size, efault);	/* want: UW04 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw04_copy_in_read_clean(void __user *to, const void *from, size_t size)
{
	check_object_size(from, size, true);
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_copy_to_user(to, from, size, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
