// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a hint around a begin in half of a condition
 * Rule: UW18
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw18_half_of_condition(u32 __user *at, u32 mask, bool wanted)
{
	u32 value;

	if (!wanted || unlikely(!user_access_begin(at, sizeof(*at))))	/* want: UW18 */
		return -EFAULT;
	unsafe_get_user(value, at, efault);
	unsafe_put_user(value & mask, at, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw18_half_of_condition_clean(u32 __user *at, u32 mask, bool wanted)
{
	u32 value;

	if (unlikely(!wanted) || !user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(value, at, efault);
	unsafe_put_user(value & mask, at, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
