// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two addresses come as numbers, and one of them was checked
 * Rule: UW22
 */
#include <linux/errno.h>
#include <linux/types.h>
#include <linux/uaccess.h>

struct uw22_other_number_copy {
	u64 from;
	u64 to;
};

int uw22_other_number(struct uw22_other_number_copy *copy)
{
	u32 __user *from = (u32 __user *)(unsigned long)copy->from;
	u32 __user *to = (u32 __user *)(unsigned long)copy->to;
	u32 value;

	if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, from, fault);
	unsafe_put_user(value, to, fault);	/* want: UW22 */
	user_access_end();
	return 0;

fault:
	user_access_end();
	return -EFAULT;
}

int uw22_other_number_clean(struct uw22_other_number_copy *copy)
{
	u32 __user *from = (u32 __user *)(unsigned long)copy->from;
	u32 __user *to = (u32 __user *)(unsigned long)copy->to;
	u32 value;

	if (!access_ok(to, sizeof(*to)))
		return -EFAULT;
	if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, from, fault);
	unsafe_put_user(value, to, fault);
	user_access_end();
	return 0;

fault:
	user_access_end();
	return -EFAULT;
}
