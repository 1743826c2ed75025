// SPDX-License-Identifier: GPL-2.0
/*
 * Title: where an access begins is tested, not where it ends
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_start_only(u8 __user *to, size_t size, size_t offset, u64 value)
{
	if (offset >= size)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, (u64 __user *)(to + offset), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_start_only_clean(u8 __user *to, size_t size, size_t offset, u64 value)
{
	if (size < sizeof(value) || offset > size - sizeof(value))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, (u64 __user *)(to + offset), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_start_only_byte_clean(u8 __user *to, size_t size, size_t offset, u8 value)
{
	if (offset >= size)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, to + offset, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_start_only_aligned_clean(u8 __user *to, size_t size, size_t offset, u64 value)
{
	if (offset >= size || ((offset | size) & 7))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, (u64 __user *)(to + offset), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_start_only_element_clean(u64 __user *to, size_t count, size_t index, u64 value)
{
	if (index >= count)
		return -EINVAL;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to + index, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
