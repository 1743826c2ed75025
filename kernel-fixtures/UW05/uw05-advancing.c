// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer that advances, or is moved by a helper, past a fixed range
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_advancing(u32 __user *from, u32 *lo, u32 *hi)
{
	u32 __user *next = from;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*lo, next, efault);
	next++;
	unsafe_get_user(*hi, next, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_advancing_clean(u32 __user *from, u32 *lo, u32 *hi)
{
	u32 __user *next = from;

	if (!user_read_access_begin(from, 2 * sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*lo, next, efault);
	next++;
	unsafe_get_user(*hi, next, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

static __always_inline void uw05_advancing_skip(u32 __user **at, u32 by)
{
	*at += by;
}

int uw05_advancing_by_helper(u32 __user *from, u32 *value, u32 by)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	uw05_advancing_skip(&from, by);
	unsafe_get_user(*value, from, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_advancing_by_helper_clean(u32 __user *from, u32 *value, u32 by)
{
	uw05_advancing_skip(&from, by);
	if (!user_read_access_begin(from, 2 * sizeof(*from)))
		return -EFAULT;
	uw05_advancing_skip(&from, 1);
	unsafe_get_user(*value, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
