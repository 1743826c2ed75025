// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size is tested to be at most that of an object, and all of the object is accessed
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_at_most {
	u32 first;
	u32 second;
};

int uw05_at_most(struct uw05_at_most *to, const struct uw05_at_most __user *from, size_t size)
{
	if (size > sizeof(*to))
		return -E2BIG;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	unsafe_get_user(to->first, &from->first, efault);
	unsafe_get_user(to->second, &from->second, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_at_most_clean(struct uw05_at_most *to, const struct uw05_at_most __user *from, size_t size)
{
	if (size != sizeof(*to))
		return -EINVAL;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	unsafe_get_user(to->first, &from->first, efault);
	unsafe_get_user(to->second, &from->second, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_at_most_tested_clean(struct uw05_at_most *to, const struct uw05_at_most __user *from, size_t size)
{
	if (size < sizeof(to->first) || size > sizeof(*to))
		return -EINVAL;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	unsafe_get_user(to->first, &from->first, efault);
	if (size == sizeof(*to))
		unsafe_get_user(to->second, &from->second, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_at_most_loop_clean(u64 __user *to, const u64 *from, u32 count)
{
	u32 i;

	if (count > 2)
		return -EINVAL;
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
