// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of the range has the low bits of the length, or of a product, only
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

int uw05_cut_size(u8 __user *to, const u8 *from, u32 length)
{
	u16 size = length;
	u32 i;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_copied(void __user *to, const void *from, unsigned long length)
{
	check_object_size(from, length, true);
	if (!user_write_access_begin(to, (u16)length))
		return -EFAULT;
	unsafe_copy_to_user(to, from, length, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_by_mask(u8 __user *to, const u8 *from, u32 length)
{
	u32 i;

	if (!user_write_access_begin(to, length & 0xff))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline bool uw05_cut_size_open(u8 __user *to, u16 size)
{
	return user_write_access_begin(to, size);
}

int uw05_cut_size_of_helper(u8 __user *to, const u8 *from, u32 length)
{
	u32 i;

	if (!uw05_cut_size_open(to, length))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_lesser(u8 __user *to, const u8 *from, u32 length)
{
	u32 i;

	if (!user_write_access_begin(to, min_t(u16, length, 512)))
		return -EFAULT;
	for (i = 0; i < length && i < 512; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_product(u64 __user *to, const u64 *from, u32 n)
{
	u32 bytes = n * sizeof(*to);
	u32 i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_shift(u64 __user *to, const u64 *from, u32 n)
{
	u32 i;

	if (!user_write_access_begin(to, n << 3))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_clean(u8 __user *to, const u8 *from, u32 length)
{
	u16 size = length;
	u32 i;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < size; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_limited_clean(u8 __user *to, const u8 *from, u32 length)
{
	u16 size = length;
	u32 i;

	if (length > 4096)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_compared_clean(u8 __user *to, const u8 *from, u32 length)
{
	u16 size = length;
	u32 i;

	if (size != length)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_lesser_clean(u8 __user *to, const u8 *from, u32 length)
{
	u32 i;

	if (!user_write_access_begin(to, min_t(u32, length, 512)))
		return -EFAULT;
	for (i = 0; i < length && i < 512; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_product_clean(u64 __user *to, const u64 *from, u32 n)
{
	u32 bytes = n * sizeof(*to);
	u32 i;

	if (n > 1024)
		return -EINVAL;
	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_product_left_clean(u64 __user *to, const u64 *from, u32 n)
{
	u32 bytes = n * sizeof(*to);
	u32 i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < bytes / 8; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_product_copied_clean(void __user *to, const void *from, u32 n)
{
	u32 bytes = n * 8;

	check_object_size(from, bytes, true);
	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	unsafe_copy_to_user(to, from, bytes, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_of_wide_product_clean(u64 __user *to, const u64 *from, u32 n)
{
	size_t bytes = n * sizeof(*to);
	u32 i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_negative(u8 __user *to, const u8 *from, const int __user *size)
{
	int count, i;

	if (get_user(count, size))
		return -EFAULT;
	if (count > 64)
		return -EINVAL;
	if (!user_write_access_begin(to, (u8)count))
		return -EFAULT;
	for (i = 0; i != count; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_size_negative_clean(u8 __user *to, const u8 *from, const int __user *size)
{
	int count, i;

	if (get_user(count, size))
		return -EFAULT;
	if (count < 0 || count > 64)
		return -EINVAL;
	if (!user_write_access_begin(to, (u8)count))
		return -EFAULT;
	for (i = 0; i != count; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
