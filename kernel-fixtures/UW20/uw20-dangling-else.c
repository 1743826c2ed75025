// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro that is a bare if, before an else
 * Rule: UW20
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define unsafe_uw20_dangling_else_store(value, to, label)	\
	if ((value) > 1)	\
		unsafe_put_user(value, to, label)

int uw20_dangling_else(u32 __user *to, u32 value, bool wanted)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (wanted)
		unsafe_uw20_dangling_else_store(value, to, efault);	/* want: UW20 */
	else
		unsafe_put_user(0U, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw20_dangling_else_clean(u32 __user *to, u32 value, bool wanted)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (wanted) {
		unsafe_uw20_dangling_else_store(value, to, efault);
	} else {
		unsafe_put_user(0U, to, efault);
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
