// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the end is inside the loop, the begin before it
 * Rule: UW21, UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw21_end_in_loop(u32 __user *to, const u32 *from, unsigned int count)
{
	unsigned int i;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_put_user(from[i], to + i, efault);	/* want: UW21 */
		user_write_access_end();	/* want[spatch, smatch, objects]: UW02 */
	}
	return 0;	/* want: UW02 */
efault:
	user_write_access_end();	/* want[spatch, smatch, objects]: UW02 */
	return -EFAULT;
}

int uw21_end_in_loop_clean(u32 __user *to, const u32 *from, unsigned int count)
{
	unsigned int i;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
