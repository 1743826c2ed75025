// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one of two pointers is chosen after the begin was for one of them
 * Rule: UW22, UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw22_chosen_after(u32 __user *first, u32 __user *second, u32 value, bool other)
{
	u32 __user *to;

	if (!user_write_access_begin(first, sizeof(*first)))
		return -EFAULT;
	to = other ? second : first;
	unsafe_put_user(value, to, efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_chosen_after_clean(u32 __user *first, u32 __user *second, u32 value, bool other)
{
	u32 __user *to = other ? second : first;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_chosen_after_part_clean(u32 __user *pair, u32 value, bool other)
{
	u32 __user *to;

	if (!user_write_access_begin(pair, 2 * sizeof(*pair)))
		return -EFAULT;
	to = other ? pair + 1 : pair;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
