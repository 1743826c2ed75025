// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two numbers, each within a limit of its own, are too large together
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_two_numbers {
	u16 cell[4][32];
};

int uw05_two_numbers(struct uw05_two_numbers __user *to, u32 row, u32 column, u16 value)
{
	if (row >= 32 || column >= 4)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->cell[row][column], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_two_numbers_clean(struct uw05_two_numbers __user *to, u32 row, u32 column, u16 value)
{
	if (row >= 4 || column >= 32)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->cell[row][column], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_two_numbers_ring(u32 __user *to, u32 head, u32 count, const u32 *from)
{
	u32 i;

	if (head >= 128 || count > 128)
		return -EINVAL;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + ((head + i) & 127), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_two_numbers_ring_clean(u32 __user *to, u32 head, u32 count, const u32 *from)
{
	u32 i;

	if (head >= 128 || count > 128)
		return -EINVAL;
	if (!user_write_access_begin(to, 128 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + ((head + i) & 127), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* They are limited together. */
int uw05_two_numbers_related_clean(u32 __user *to, u32 first, u32 count, u32 value)
{
	if (first > 64 || count > 64 || first >= count)
		return -EINVAL;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to + first, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The callers may know how they are related. */
static int uw05_two_numbers_known(u32 __user *to, u32 first, u32 count, u32 value)
{
	if (first > 64 || count > 64)
		return -EINVAL;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to + first, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_two_numbers_known_caller(u32 __user *to, u32 count, u32 value)
{
	return uw05_two_numbers_known(to, count / 2, count, value);
}
