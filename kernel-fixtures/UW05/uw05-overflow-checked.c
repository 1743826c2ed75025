// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size that is tested for overflow, and a loop that goes to its count
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

int uw05_overflow_checked(u64 __user *to, const u64 *from, u32 count)
{
	size_t size;
	u32 i;

	if (check_mul_overflow((size_t)count, sizeof(*to), &size))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i <= count; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_overflow_checked_clean(u64 __user *to, const u64 *from, u32 count)
{
	size_t size;
	u32 i;

	if (check_mul_overflow((size_t)count, sizeof(*to), &size))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_overflow_checked_end(u8 __user *to, size_t offset, size_t size)
{
	size_t end;

	if (!size || check_add_overflow(offset, size, &end))
		return -EINVAL;
	if (!user_write_access_begin(to, end))
		return -EFAULT;
	unsafe_put_user(0, to + end, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_overflow_checked_end_clean(u8 __user *to, size_t offset, size_t size)
{
	size_t end;

	if (!size || check_add_overflow(offset, size, &end))
		return -EINVAL;
	if (!user_write_access_begin(to, end))
		return -EFAULT;
	unsafe_put_user(0, to + offset + size - 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_overflow_checked_int_clean(u64 __user *to, u64 first, unsigned int n)
{
	unsigned int bytes, i;

	if (check_mul_overflow(n, (unsigned int)sizeof(*to), &bytes))
		return -EOVERFLOW;
	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(first + i, to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
