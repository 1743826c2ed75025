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

/* Between the pointers are whole elements. */
int uw05_start_only_elements(u32 __user *to, u32 __user *end, const u32 *from)
{
	u32 __user *at;

	if (to >= end || !user_write_access_begin(to, (end - to) * sizeof(*to)))
		return -EFAULT;
	for (at = to; at < end; at++)
		unsafe_put_user(*from++, at, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
