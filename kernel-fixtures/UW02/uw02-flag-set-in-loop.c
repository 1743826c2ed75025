// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop opens the window once and sets a flag, and a fault skips the end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_flag_set_in_loop(u32 __user *to, const u32 *from, int n)
{
	bool open = false;
	int i;

	for (i = 0; i < n; i++) {
		if (!open) {
			if (!user_write_access_begin(to, n * sizeof(*to)))
				return -EFAULT;
			open = true;
		}
		unsafe_put_user(from[i], to + i, efault);
	}
	if (open)
		user_write_access_end();
	return 0;
efault:
	return -EFAULT;	/* want: UW02 */
}

int uw02_flag_set_in_loop_clean(u32 __user *to, const u32 *from, int n)
{
	bool open = false;
	int i;

	for (i = 0; i < n; i++) {
		if (!open) {
			if (!user_write_access_begin(to, n * sizeof(*to)))
				return -EFAULT;
			open = true;
		}
		unsafe_put_user(from[i], to + i, efault);
	}
	if (open)
		user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
