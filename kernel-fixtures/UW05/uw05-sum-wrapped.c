// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a sum in 32 bits passes a test that its parts would not
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_sum_wrapped(const u8 __user *from, u32 size, u32 offset, u32 length, u8 *to)
{
	u32 i;

	if (offset + length > size || size > PAGE_SIZE)
		return -EINVAL;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + offset + i, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_sum_wrapped_fixed(const u8 __user *from, u32 offset, u32 length, u8 *to)
{
	u32 i;

	if (offset + length > 256)
		return -EINVAL;
	if (!user_read_access_begin(from, 256))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + offset + i, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_sum_wrapped_wide_clean(const u8 __user *from, u32 size, u32 offset, u32 length, u8 *to)
{
	u32 i;

	if ((u64)offset + length > size || size > PAGE_SIZE)
		return -EINVAL;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + offset + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_sum_wrapped_tested_clean(const u8 __user *from, u32 size, u32 offset, u32 length, u8 *to)
{
	u32 i;

	if (offset + length < offset || offset + length > size)
		return -EINVAL;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + offset + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_sum_wrapped_parts_clean(const u8 __user *from, u32 size, u32 offset, u32 length, u8 *to)
{
	u32 i;

	if (size > PAGE_SIZE || offset > size || length > size || offset + length > size)
		return -EINVAL;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + offset + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_sum_wrapped_small_clean(const u8 __user *from, u32 size, u8 offset, u16 length, u8 *to)
{
	u32 i;

	if ((u32)offset + length > size)
		return -EINVAL;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + offset + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
