// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an offset is added to the begin or taken from its size, and left out of the access
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_offset_left_out(void __user *to, size_t offset, u32 value)
{
	u32 __user *word = to;

	if (!user_write_access_begin(to + offset, sizeof(*word)))
		return -EFAULT;
	unsafe_put_user(value, word, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_offset_left_out_clean(void __user *to, size_t offset, u32 value)
{
	u32 __user *word = to;

	if (offset)
		return -EINVAL;
	if (!user_write_access_begin(to + offset, sizeof(*word)))
		return -EFAULT;
	unsafe_put_user(value, word, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_offset_left_out_size(u8 __user *to, size_t offset, size_t size)
{
	if (offset >= size)
		return -EINVAL;
	if (!user_write_access_begin(to, size - offset))
		return -EFAULT;
	unsafe_put_user(0, to + size - 1, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_offset_left_out_size_clean(u8 __user *to, size_t offset, size_t size)
{
	if (offset >= size)
		return -EINVAL;
	if (!user_write_access_begin(to + offset, size - offset))
		return -EFAULT;
	unsafe_put_user(0, to + size - 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_offset_left_out_end_clean(u8 __user *to, const u8 *from, size_t size)
{
	u8 __user *end = to + size;

	if (!user_write_access_begin(end - size, size))
		return -EFAULT;
	for (; size; size--, from++)
		unsafe_put_user(*from, end - size, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_offset_left_out_loop(u8 __user *to, size_t offset, const u8 *from, size_t size)
{
	size_t i;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < size; i++)
		unsafe_put_user(from[i], to + offset + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_offset_left_out_loop_clean(u8 __user *to, size_t offset, const u8 *from, size_t size)
{
	size_t i;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; offset + i < size; i++)
		unsafe_put_user(from[i], to + offset + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_offset_left_out_tested_clean(u8 __user *to, size_t offset, const u8 *from, size_t size)
{
	size_t i;

	if (offset >= size || !user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < size - offset; i++)
		unsafe_put_user(from[i], to + offset + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
