// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an address that comes as a number is converted in the access
 * Rule: UW22
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>

int uw22_converted_number(u32 __user *from, u64 to)
{
	u32 value;

	if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, from, fault);
	unsafe_put_user(value, (u32 __user *)u64_to_user_ptr(to), fault);	/* want: UW22 */
	user_access_end();
	return 0;

fault:
	user_access_end();
	return -EFAULT;
}

int uw22_converted_number_clean(u32 __user *from, u64 to)
{
	u32 __user *target = u64_to_user_ptr(to);
	u32 value;

	if (get_user(value, from))
		return -EFAULT;
	if (!user_write_access_begin(target, sizeof(*target)))
		return -EFAULT;
	unsafe_put_user(value, (u32 __user *)u64_to_user_ptr(to), fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}
