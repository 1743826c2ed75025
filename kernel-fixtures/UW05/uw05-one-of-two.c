// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper opens one of two sizes, and a member of the larger one is accessed
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_one_of_two {
	u32 low;
	u32 high;
};

static __always_inline bool uw05_one_of_two_open(struct uw05_one_of_two __user *from, bool both)
{
	if (both)
		return user_read_access_begin(from, sizeof(*from));
	return user_read_access_begin(from, sizeof(from->low));
}

int uw05_one_of_two(struct uw05_one_of_two __user *from, u32 *to, bool both)
{
	if (!uw05_one_of_two_open(from, both))
		return -EFAULT;
	unsafe_get_user(to[0], &from->low, efault);
	unsafe_get_user(to[1], &from->high, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_one_of_two_clean(struct uw05_one_of_two __user *from, u32 *to, bool both)
{
	if (!uw05_one_of_two_open(from, both))
		return -EFAULT;
	unsafe_get_user(to[0], &from->low, efault);
	if (both)
		unsafe_get_user(to[1], &from->high, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_one_of_two_known_clean(struct uw05_one_of_two __user *from, u32 *to)
{
	if (!uw05_one_of_two_open(from, true))
		return -EFAULT;
	unsafe_get_user(to[0], &from->low, efault);
	unsafe_get_user(to[1], &from->high, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
