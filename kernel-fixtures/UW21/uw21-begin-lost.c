// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the begin of a function that others call is gone, and its end is left
 * Rule: UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static bool uw21_begin_lost_copy(u32 __user *to, u32 value)
{
	bool ret;

	if (!to)
		return true;
	unsafe_put_user(value, to, efault);	/* want: UW21 */
	ret = true;
done:
	user_write_access_end();	/* want[spatch, smatch, objtool, objects]: UW02 */
	return ret;
efault:
	ret = false;
	goto done;
}

static int uw21_begin_lost_finish(u32 __user *to, u32 value)
{
	return uw21_begin_lost_copy(to, value) ? 0 : -EFAULT;
}

int uw21_begin_lost(u32 __user *to, u32 value)
{
	return uw21_begin_lost_finish(to, value);
}

static bool uw21_begin_lost_clean_copy(u32 __user *to, u32 value)
{
	bool ret;

	if (!to)
		return true;
	if (!user_write_access_begin(to, sizeof(*to)))
		return false;
	unsafe_put_user(value, to, efault);
	ret = true;
done:
	user_write_access_end();
	return ret;
efault:
	ret = false;
	goto done;
}

int uw21_begin_lost_clean(u32 __user *to, u32 value)
{
	return uw21_begin_lost_clean_copy(to, value) ? 0 : -EFAULT;
}
