// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a narrower variable, or compat_ptr(), cuts the address that was checked, or that is used
 * Rule: UW05
 */
#include <linux/compat.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_half_address(u64 address, u32 value)
{
	u32 low = address;

	if (!user_write_access_begin((u32 __user *)(unsigned long)address, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(value, (u32 __user *)(unsigned long)low, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_half_address_checked(u64 address, u32 value)
{
	u32 __user *to = u64_to_user_ptr(address);

	if (!user_write_access_begin(compat_ptr(address), sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_half_address_used(u64 address, u32 value)
{
	u32 __user *to = compat_ptr(address);

	if (!user_write_access_begin(u64_to_user_ptr(address), sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_half_address_clean(u64 address, u32 value)
{
	unsigned long whole = address;

	if (!user_write_access_begin((u32 __user *)(unsigned long)address, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(value, (u32 __user *)whole, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_half_address_both_clean(u64 address, u32 value)
{
	u32 low = address;
	u32 __user *to = (u32 __user *)(unsigned long)low;

	if (!user_write_access_begin((u32 __user *)(unsigned long)low, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_half_address_narrow_clean(u32 address, u32 value)
{
	u32 __user *to = (u32 __user *)(unsigned long)address;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, (u32 __user *)(unsigned long)address, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_half_address_chosen_clean(u64 address, u32 value)
{
	u32 __user *to;

	if (in_compat_syscall())
		to = compat_ptr(address);
	else
		to = u64_to_user_ptr(address);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
