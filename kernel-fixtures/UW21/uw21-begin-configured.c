// SPDX-License-Identifier: GPL-2.0
/*
 * Title: only some configurations have the begin, or the end
 * Rule: UW02, UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw21_begin_configured(u32 __user *to, u32 value)
{
#ifndef CONFIG_NO_WINDOWS
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
#endif
	unsafe_put_user(value, to, efault);	/* want[spatch]: UW21 */
	user_write_access_end();	/* want[spatch]: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want[spatch]: UW02 */
	return -EFAULT;
}

int uw21_begin_configured_end(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
#ifndef CONFIG_NO_WINDOWS
	user_write_access_end();
#endif
	return 0;	/* want[spatch]: UW02 */
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw21_begin_configured_clean(u32 __user *to, u32 value)
{
#ifndef CONFIG_NO_WINDOWS
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
#endif
	return 0;
#ifndef CONFIG_NO_WINDOWS
efault:
	user_write_access_end();
	return -EFAULT;
#endif
}

int uw21_begin_configured_access_clean(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
#ifndef CONFIG_NO_WINDOWS
	unsafe_put_user(value, to + 1, efault);
#endif
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
