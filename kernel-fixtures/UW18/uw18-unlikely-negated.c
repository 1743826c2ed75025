// SPDX-License-Identifier: GPL-2.0
/*
 * Title: unlikely() around a begin that is negated
 * Rule: UW18
 * Known: B09: csum_and_copy_from_user() of x86 before 18372ef87665
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw18_unlikely_negated(u32 __user *to, u32 value)
{
	if (unlikely(!user_write_access_begin(to, sizeof(*to))))	/* want: UW18 */
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw18_unlikely_negated_clean(u32 __user *to, u32 value)
{
	if (unlikely(!to))
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
