// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first access of a masked window is at a distance that nothing limits
 * Rule: UW15
 * Arch: x86
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw15_masked_distance {
	u8 __user *at;
	u32 size;
};

int uw15_masked_distance(u8 __user *to, u32 distance, u8 value)
{
	if (can_do_masked_user_access())
		to = masked_user_access_begin(to);
	else if (!user_write_access_begin(to, (size_t)distance + 1))
		return -EFAULT;
	unsafe_put_user(value, to + distance, efault);	/* want: UW15 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw15_masked_distance_clean(u8 __user *to, u32 distance, u8 value)
{
	u8 __user *at = to + distance;

	if (can_do_masked_user_access())
		at = masked_user_access_begin(at);
	else if (!user_write_access_begin(at, 1))
		return -EFAULT;
	unsafe_put_user(value, at, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw15_masked_distance_limited_clean(u8 __user *to, u32 distance, u8 value)
{
	if (distance > 64)
		return -EINVAL;
	if (can_do_masked_user_access())
		to = masked_user_access_begin(to);
	else if (!user_write_access_begin(to, (size_t)distance + 1))
		return -EFAULT;
	unsafe_put_user(value, to + distance, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw15_masked_distance_in_size(u8 __user *to, u32 size, u32 distance, u8 value)
{
	if (distance >= size)
		return -EINVAL;
	if (can_do_masked_user_access())
		to = masked_user_access_begin(to);
	else if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, to + distance, efault);	/* want: UW15 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw15_masked_distance_in_small_size_clean(u8 __user *to, u32 size, u32 distance, u8 value)
{
	if (size > 64 || distance >= size)
		return -EINVAL;
	if (can_do_masked_user_access())
		to = masked_user_access_begin(to);
	else if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, to + distance, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* In the order of the compare. */
int uw15_masked_distance_in_small_size_later(u8 __user *to, u32 size, u32 distance, u8 value)
{
	if (distance >= size || size > 64)
		return -EINVAL;
	if (can_do_masked_user_access())
		to = masked_user_access_begin(to);
	else if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, to + distance, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The structure's size is as its owner made it. */
int uw15_masked_distance_of_member(struct uw15_masked_distance *to, u32 distance, u8 value)
{
	u8 __user *at = to->at;

	if (distance >= to->size)
		return -EINVAL;
	if (can_do_masked_user_access())
		at = masked_user_access_begin(at);
	else if (!user_write_access_begin(at, to->size))
		return -EFAULT;
	unsafe_put_user(value, at + distance, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
