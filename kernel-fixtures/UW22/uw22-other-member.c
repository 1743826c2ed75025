// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one pointer in a structure was checked, and another in it is used
 * Rule: UW22, UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_other_member {
	u32 __user *in;
	u32 __user *out;
};

int uw22_other_member(struct uw22_other_member *places, u32 value)
{
	if (!user_write_access_begin(places->in, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(0, places->in, efault);
	unsafe_put_user(value, places->out, efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_other_member_clean(struct uw22_other_member *places, u32 value)
{
	if (!access_ok(places->out, sizeof(u32)))
		return -EFAULT;
	if (!user_write_access_begin(places->in, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(0, places->in, efault);
	unsafe_put_user(value, places->out, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_other_member_set(struct uw22_other_member *places, u32 __user *in, u32 value)
{
	if (!user_write_access_begin(places->in, sizeof(u32)))
		return -EFAULT;
	places->in = in;
	unsafe_put_user(value, places->in, efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_other_member_set_clean(struct uw22_other_member *places, u32 __user *in, u32 value)
{
	places->in = in;
	if (!user_write_access_begin(places->in, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(value, places->in, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
