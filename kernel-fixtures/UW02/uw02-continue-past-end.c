// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a continue starts the next iteration with the window open
 * Rule: UW02, UW10
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_continue_past_end(u32 __user *to, const u32 *from, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!user_write_access_begin(to + i, sizeof(*to)))	/* want[spatch, smatch, objects]: UW10 */
			return -EFAULT;	/* want[spatch, smatch, objects]: UW02 */
		unsafe_put_user(from[i], to + i, efault);
		if (!from[i])
			continue;
		user_write_access_end();
	}
	return 0;	/* want: UW02 */
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_continue_past_end_clean(u32 __user *to, const u32 *from, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!user_write_access_begin(to + i, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(from[i], to + i, efault);
		if (!from[i]) {
			user_write_access_end();
			continue;
		}
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
