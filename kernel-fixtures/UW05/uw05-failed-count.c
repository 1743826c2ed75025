// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a count that may be an error number, or a power of two, is multiplied in 32 bits
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static int uw05_failed_count_of(u32 kind)
{
	return kind < 8 ? (int)kind * 2 : -EINVAL;
}

int uw05_failed_count(u32 __user *to, const u32 *from, u32 kind)
{
	int count = uw05_failed_count_of(kind);
	unsigned int i;

	if (!user_write_access_begin(to, (unsigned int)count * 4))
		return -EFAULT;
	for (i = 0; i < (unsigned int)count; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_failed_count_power(u8 __user *to, const u8 *from, unsigned int order)
{
	unsigned long i;

	if (!user_write_access_begin(to, 1U << order))
		return -EFAULT;
	for (i = 0; i < 1UL << order; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_failed_count_large_power(u32 __user *to, u32 value, unsigned int order)
{
	u64 i, count;

	if (order > 40)
		return -EINVAL;
	count = 1ULL << order;
	if (!user_write_access_begin(to, (1U << order) * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(value, to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_failed_count_clean(u32 __user *to, const u32 *from, u32 kind)
{
	int count = uw05_failed_count_of(kind);
	unsigned int i;

	if (count < 0)
		return count;
	if (!user_write_access_begin(to, (unsigned int)count * 4))
		return -EFAULT;
	for (i = 0; i < (unsigned int)count; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* No range is as large as an error number of 64 bits. */
int uw05_failed_count_wide(u32 __user *to, const u32 *from, u32 kind)
{
	long count = uw05_failed_count_of(kind);
	long i;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_failed_count_same_power(u8 __user *to, const u8 *from, unsigned int order)
{
	unsigned long i;

	if (!user_write_access_begin(to, 1UL << order))
		return -EFAULT;
	for (i = 0; i < 1UL << order; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_failed_count_small_power(u8 __user *to, const u8 *from, unsigned int order)
{
	unsigned long i;

	if (order > 20 || !user_write_access_begin(to, 1U << order))
		return -EFAULT;
	for (i = 0; i < 1UL << order; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_failed_count_power_of_words(u64 __user *to, u64 value, unsigned int order)
{
	unsigned int i, n = 1U << order, bytes = n << 3;

	if (order > 31)
		return -EINVAL;
	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(value, to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_failed_count_power_of_words_clean(u64 __user *to, u64 value, unsigned int order)
{
	unsigned int i, n = 1U << order, bytes = n << 3;

	if (order > 28)
		return -EINVAL;
	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(value, to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
