// SPDX-License-Identifier: GPL-2.0
/* Locks that guards of include/linux/cleanup.h take. */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/uaccess.h>

int guards_in_window(u32 __user *to, struct mutex *lock, const u32 *value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	{
		guard(mutex)(lock); /* want: UW09 */
		unsafe_put_user(*value, to, efault);
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int guards_around_window(u32 __user *to, struct mutex *lock, const u32 *value)
{
	guard(mutex)(lock);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(*value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
