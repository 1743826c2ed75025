// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the destination has the name of a variable in the macro
 * Rule: UW20
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw20_name_of_destination(u8 __user *_dst, const u8 *from)
{
	if (!user_write_access_begin(_dst, 16))
		return -EFAULT;
	unsafe_copy_to_user(_dst, from, 16, efault);	/* want: UW20 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw20_name_of_destination_clean(u8 __user *target, const u8 *from)
{
	if (!user_write_access_begin(target, 16))
		return -EFAULT;
	unsafe_copy_to_user(target, from, 16, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
