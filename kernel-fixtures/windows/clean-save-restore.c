// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the state is saved, closed for a call, and restored
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

extern void clean_save_restore_report(unsigned long at);

int clean_save_restore(u32 __user *to, u32 value, unsigned long at)
{
	unsigned long flags;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (at > value) {
		flags = user_access_save();
		clean_save_restore_report(at);
		user_access_restore(flags);
	}
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* As a sanitizer's handler does, which does not know whether a window is open. */
void clean_save_restore_anywhere(unsigned long at)
{
	unsigned long flags = user_access_save();

	clean_save_restore_report(at);
	user_access_restore(flags);
}
