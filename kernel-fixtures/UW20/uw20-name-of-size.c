// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size is in a variable that the macro also declares
 * Rule: UW20
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw20_name_of_size(u8 __user *to, const u8 *from)
{
	const size_t _len = 16;

	if (!user_write_access_begin(to, 16))
		return -EFAULT;
	unsafe_copy_to_user(to, from, _len / 2 * 2, efault);	/* want: UW20, UW23 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw20_name_of_size_clean(u8 __user *to, const u8 *from)
{
	if (!user_write_access_begin(to, 16))
		return -EFAULT;
	unsafe_copy_to_user(to, from, 16, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
